/// The words whose pictures can be chosen: nouns of 3 to 6 letters that a picture can show.
///
/// The list is this project's own. It has at least 120 words of each length, all different, so that a
/// match of six words need not repeat one.
public enum WordList {
  /// The number of letters that a word can have.
  public static let lengths = 3...6

  /// All words in capitals, by length and then in alphabetical order.
  public static let words = text.split { $0 == " " || $0 == "\n" }.map { $0.uppercased() }

  /// Returns the words of a length in capitals, in alphabetical order; empty out of ``lengths``.
  public static func words(ofLength length: Int) -> [String] {
    words.filter { $0.utf8.count == length }
  }

  /// Whether a text can be an answer: 3 to 6 capital letters A to Z. It need not be in the list,
  /// which another version of the app may have changed.
  static func isAnswer(_ text: String) -> Bool {
    lengths.contains(text.utf8.count) && text.utf8.allSatisfy { (65...90).contains($0) }
  }

  private static let text = """
    ant ape arm axe bag bat bed bee bib bin bow box boy bug bun bus cab can cap car cat cob
    cod cog cot cow cub cue cup den dog dot dye ear eel egg elf elk elm emu ewe eye fan fig
    fin fir fly fog fox fur gas gem gum gym hat hay hen hoe hog hub hut ice ink inn ivy jam
    jar jaw jet jug key kid kit koi lab leg lid lip log map mat mop mud mug nap net nib nut
    oak oar oat orb ore owl pad pan paw pea peg pen pet pie pig pin pit pod pot pug pup rag
    ram rat ray rib rod rug saw sea ski sky sun tap tar tea tie tin toe top toy tub urn van
    vat vet wax web wig wok yak yam zip zoo
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
    acorn angel ankle apple apron arrow badge bagel baker beach beads beard berry bison blade
    blaze board bongo bread brick bride broom brush cabin cable camel canal candy canoe chain
    chair chalk cheek chess chest child chili clock cloud clown cobra comet coral couch crane
    crate cream crown daisy dance diary diver drain dress drill eagle earth elbow fairy feast
    fence field flame flock flour flute frame fruit ghost giant glass globe glove goose grape
    grass grill heart hedge hinge honey horse hotel house igloo jeans jelly jewel judge juice
    knife koala label lemon llama mango maple medal melon metal mixer moose motor mouse mouth
    movie mummy music night ninja nurse ocean olive onion orbit otter paint panda paper party
    pasta patch peach pearl pedal phone photo piano pilot pizza plane plant plate porch pouch
    prawn prune puppy purse queen quilt radar radio raven razor river robin robot ruler salad
    sauce scale scarf scone shark sheep shelf shell shirt skate skirt skunk sleet smile snail
    snake spade spear spice spoon spray squid stage stamp steak stone stool stork storm stove
    straw sugar sushi swing sword syrup table tiger toast tooth torch towel tower track train
    truck trunk tulip viper watch water whale wheat wheel witch wrist yacht zebra
    almond anchor animal archer artist badger ballet bamboo banana banner barber barrel basket
    beaver beetle bonnet bottle bridge bronze bubble bucket budgie burger butter button cactus
    camera canary candle cannon canvas carpet carrot cashew castle cattle celery cellar cement
    cereal cheese cherry church cinema circle circus clover coffee collar cookie copper cotton
    coyote cradle crayon crutch dagger dancer desert diaper dinner doctor dollar donkey dragon
    drawer driver engine eraser fabric falcon farmer faucet fender ferret fiddle finger flower
    forest fossil fridge galaxy garage garden garlic ginger glider goblet goblin gopher grapes
    guitar hammer hamper hanger harbor hatbox helmet hermit hockey icicle iguana insect island
    jacket jaguar jersey jigsaw jockey jungle kennel kettle kidney kimono kitten ladder lagoon
    laptop lawyer leaves lemons letter lizard locket locust magnet mammal marble market meadow
    meteor mirror mitten monkey mosque muffin museum napkin needle nickel noodle nugget office
    orange orchid oyster paddle palace papaya parade parrot pastry peanut pebble pencil pepper
    petals pickle pigeon pillow pirate planet plough pocket poodle poster potato powder prince
    puddle puffin pulley puppet puzzle python quiver rabbit racket radish raisin ribbon rocket
    saddle sailor salmon sandal school shovel shower shrimp siphon sleigh soccer spider sponge
    spring square stable statue stream street sunset sweets tablet teapot temple tennis throne
    ticket tights timber tissue toffee tomato tongue toucan trophy tunnel turkey turnip turtle
    tuxedo velvet violin waffle waiter walnut walrus weasel window wizard zipper
    """
}
