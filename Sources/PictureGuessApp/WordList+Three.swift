extension WordList {
  /// The words of three letters, in alphabetical order, separated by spaces.
  static let threeLetters = """
    ant ape arm axe bag bat bed bee bib bin bow box boy bug bun bus cab can cap car cat cob
    cod cog cot cow cub cue cup den dog dot dye ear eel egg elf elk elm emu ewe eye fan fig
    fin fir fly fog fox fur gas gem gum gym hat hay hen hoe hog hub hut ice ink inn ivy jam
    jar jaw jet jug key kid kit koi lab leg lid lip log map mat mop mud mug nap net nib nut
    oak oar oat orb ore owl pad pan paw pea peg pen pet pie pig pin pit pod pot pug pup rag
    ram rat ray rib rod rug saw sea ski sky sun tap tar tea tie tin toe top toy tub urn van
    vat vet wax web wig wok yak yam zip zoo
    """
}
