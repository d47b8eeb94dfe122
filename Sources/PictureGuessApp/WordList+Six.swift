extension WordList {
  /// The words of six letters, in alphabetical order, separated by spaces.
  static let sixLetters = """
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
