extension WordList {
  /// The words of four letters, in alphabetical order, separated by spaces.
  static let fourLetters = """
    apes arch army atom baby ball band bank barn bath beak beam bean bear beef bell belt bike
    bird boat bolt bone book boot bowl bulb bull bush cake calf camp cane card cart cave chef
    chin clam claw club coal coat cork corn crab crib crow cube deer desk dice dish dock doll
    dome door dove drum duck ears face fang farm fern film fire fish fist flag flea foal foot
    fork fort frog gate gift girl goat golf gong gown grid gull hail hair hand harp hawk head
    heel herb hill hive hoof hook horn hose iron isle jade jeep kilt king kite kiwi knee knot
    lace lake lamb lamp lava leaf lens lily lime lion lips lock loom mask mast maze meat milk
    mint mole moon moss moth nail neck nest nose oven palm park peak pear pier pill pine pipe
    plug plum pond pony pool rain rake ring road robe rock roof root rope rose ruby sail salt
    sand seal seed shed ship shoe sink skis snow soap sock sofa soup star stem suit swan tail
    tank taxi tent tile toad toes tomb tray tree tuba tube twig vase veil vest wall wand wasp
    wave well wing wolf wood wool worm yarn yolk zinc
    """
}
