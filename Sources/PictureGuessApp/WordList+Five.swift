extension WordList {
  /// The words of five letters, in alphabetical order, separated by spaces.
  static let fiveLetters = """
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
    """
}
