// Written by Tests/Fixtures/presence_quality.py; do not edit.
let presenceCases = """
  end 27
  reference 0 8 32, 0 30 45
  zone 25 25
  counts 0 0 1 19 0 0
  found
  lasting
  seen

  end 54
  reference 0 10 22, 0 22 39, 0 40 43, 0 55 77
  detection 0 P 15, 0 P 27, 1 A 32, 2 A 27, 1 P 20, 1 P 42, 0 A 50, 3 A 42, 2 A 19, 1 A 28, 1 A 7
  detection 3 A 4, 3 P 8, 0 A 39, 1 P 5, 0 A 48, 3 P 33, 1 A 12, 2 P 38, 0 A 17, 1 A 11, 1 A 17
  detection 3 A 19
  counts 2 1 2 32 14 6
  found 0 0
  lasting 10
  seen 5

  end 116
  reference 0 13 38, 0 43 64, 1 0 12, 1 10 38, 1 43 48, 1 46 48, 1 60 64, 1 69 86
  detection 2 P 32, 1 P 82, 3 A 2, 1 P 37, 3 A 58, 0 A 118, 2 P 28, 3 P 8
  counts 6 0 6 110 27 2
  found 0 0
  lasting
  seen 0 0 0 37

  end 48
  reference 0 5 32, 0 44 55
  detection 0 A 45, 3 P 18, 1 P 36, 3 A 34, 2 P 30, 2 P 33, 3 A 52, 2 A 48, 1 A 15, 1 P 27, 3 A 45
  detection 1 P 40, 2 P 26, 2 P 17, 2 A 51, 1 A 6, 1 P 49, 1 A 13, 3 A 40, 3 P 45, 3 A 39, 1 P 41
  detection 2 A 34, 2 P 11
  counts 1 0 2 31 0 4
  found 0
  lasting
  seen

  end 58
  detection 2 P 30, 0 P 29, 0 P 37, 1 A 42, 3 P 57, 1 A 5, 3 A 37, 0 P 7, 0 A 47, 1 A 40, 3 P 10
  counts 0 0 0 0 0 4
  found
  lasting
  seen

  end 93
  reference 0 9 33, 0 33 43, 1 1 15, 1 20 47, 1 59 86, 2 -1 21
  detection 1 A 95, 2 P 26, 2 A 76, 2 P 15, 0 A 41, 2 A 54, 3 A 20, 3 A 87, 1 P 76, 1 P 93, 1 P 60
  detection 3 A 38, 0 A 41, 3 P 52
  zone 54 59
  counts 5 0 4 123 32 1
  found 0 0 0 33
  lasting
  seen 15

  end 42
  reference 0 1 29, 0 30 58
  detection 3 A 19, 2 P 30, 3 P 13, 3 A 6, 1 P 31, 2 A 26, 1 P 28, 1 P 5, 2 P 6, 2 P 0, 0 A 5
  detection 0 P 29, 2 P 10, 3 P 46, 3 A 21, 2 P 24, 1 P 9, 1 P 29, 3 A 32, 2 A 21, 3 A 45, 1 P 20
  counts 1 0 2 40 12 6
  found
  lasting
  seen 0

  end 26
  reference 0 13 31, 1 -4 -2, 1 -2 15
  detection 2 A 14, 3 P 17, 1 P 15, 3 A 0, 3 A 17, 2 A 8, 3 P 14, 1 A 18, 1 P 28, 2 A 11, 0 A 6
  detection 3 P 24, 0 P 11, 0 P 22, 1 P 17, 2 A 19, 1 A 18, 1 P 7, 1 P 22, 1 A 20, 2 A 0, 0 P 8
  detection 0 P 11
  counts 1 0 2 28 21 4
  found
  lasting
  seen 0 7

  end 20
  reference 2 11 39
  detection 1 A 13, 3 P 19, 1 P 19, 3 A 16, 2 A 0, 1 P 15, 3 A 14, 3 P 20, 2 A 18, 3 P 11, 3 A 9
  detection 1 P 10, 2 A 0, 0 P 2, 3 A 0, 0 P 6, 1 P 17, 1 P 21, 3 P 19, 1 P 14, 3 A 5, 0 P 5, 0 P 7
  detection 3 P 7
  counts 0 0 1 9 0 6
  found
  lasting
  seen

  end 112
  detection 2 P 63, 1 A 96
  zone 92 95
  counts 0 0 0 0 0 1
  found
  lasting
  seen

  end 71
  reference 0 -5 21, 0 26 50, 0 62 66, 1 6 21, 1 19 46, 1 44 60
  detection 0 P 6, 1 P 61, 0 P 35, 2 P 16, 1 A 27, 0 P 32, 1 P 53, 0 A 4, 3 A 58, 0 A 24, 2 P 68
  detection 1 P 39, 0 P 6, 1 A 18, 3 A 47, 3 A 44, 3 P 23, 2 P 44, 2 A 56, 2 P 26
  counts 4 0 4 103 58 3
  found 3
  lasting
  seen 0 6 6 33

  end 52
  reference 0 -5 16, 0 21 33, 0 31 33, 0 38 41, 0 46 56, 0 56 79, 1 5 12, 1 13 16, 1 16 42
  detection 3 A 6, 0 P 31, 1 P 25, 1 P 28
  zone 34 43
  counts 3 0 5 62 17 0
  found 0 0
  lasting
  seen 0 10 12

  end 75
  reference 0 14 34, 0 35 38, 0 36 52, 0 64 93
  detection 0 A 38, 2 P 3, 0 A 41, 3 P 44
  zone 9 21, 55 69
  counts 2 0 1 36 0 2
  found 0 0
  lasting
  seen

  end 43
  reference 0 10 15, 0 15 35, 0 47 67, 2 -4 9, 2 10 31, 2 43 66
  detection 3 A 6, 0 A 18, 1 A 44, 3 P 46, 0 P 29, 2 A 6, 3 P 27, 3 P 44, 1 P 34, 0 P 42, 2 A 33
  detection 3 A 45, 2 A 39, 3 P 0, 1 A 1, 3 A 35, 3 P 18, 1 A 10
  counts 3 0 3 55 6 3
  found 0 0
  lasting
  seen 19

  end 82
  reference 0 0 19, 0 24 39, 0 44 46, 0 46 58, 0 70 91
  detection 0 P 18, 2 P 19, 3 P 77, 0 A 85, 2 P 22, 3 P 43, 2 A 73, 3 A 1, 3 A 59, 1 P 68, 2 A 57
  detection 1 P 38, 1 A 30, 2 P 10
  zone 53 53, 51 57
  counts 3 0 4 54 36 4
  found
  lasting
  seen 0 0 0 18

  end 81
  reference 0 -4 4, 0 2 17, 0 18 39
  detection 3 A 49, 1 P 63, 2 A 82, 0 A 55, 0 A 15, 1 P 54, 2 P 41, 1 A 73, 1 A 81, 0 A 63, 2 P 5
  detection 0 A 65, 3 P 47, 2 A 4, 0 A 35
  zone 8 20
  counts 1 0 1 27 0 3
  found 0
  lasting
  seen

  end 63
  reference 0 -5 11, 0 12 36, 0 36 37, 0 35 49, 0 61 69
  detection 1 P 46, 1 A 32, 0 A 9, 3 A 60, 0 A 21, 3 A 50, 2 P 60, 2 P 67, 2 A 13, 2 P 40, 0 A 63
  detection 3 P 60, 2 A 30, 3 P 16, 0 P 19, 3 A 7, 2 P 55, 0 A 58, 3 P 64, 3 P 33, 2 P 34, 1 A 46
  detection 1 A 39
  counts 2 1 3 50 2 3
  found 0 0
  lasting 28
  seen 7

  end 84
  reference 0 11 16
  detection 1 P 7, 2 P 82, 1 P 4, 0 A 0, 2 P 60, 3 A 63
  counts 1 0 1 5 0 2
  found 0
  lasting
  seen

  end 61
  reference 0 8 34, 0 35 60, 0 65 74, 1 1 23, 1 23 24, 1 24 34, 1 46 47, 1 52 81
  detection 3 A 13, 3 A 1, 2 A 64, 0 P 2, 1 P 63, 3 P 39, 3 P 31, 0 A 43, 1 A 34, 3 P 31, 3 A 38
  detection 3 A 23, 1 A 48, 1 A 10, 1 P 4, 3 A 35, 3 P 43, 2 A 60, 3 A 42, 2 P 31, 0 P 14, 1 A 6
  detection 0 A 5
  zone 34 46, 54 57
  counts 2 1 3 77 22 3
  found 0 0
  lasting 28
  seen 3 6

  end 109
  reference 0 6 33, 1 13 17, 1 18 34
  detection 1 A 71, 3 A 65, 0 P 92, 1 A 18, 3 P 11, 0 A 91, 2 A 2, 0 P 86, 1 A 1, 0 P 71, 1 A 101
  detection 2 A 52, 3 P 6, 1 A 56, 2 P 38, 3 A 94, 1 A 28, 2 P 105, 3 A 56
  zone 42 53, 5 12
  counts 3 0 2 41 0 4
  found 0 0
  lasting
  seen

  end 102
  reference 0 1 16, 1 11 14
  detection 0 A 25, 0 P 38, 2 A 85, 1 P 74, 0 A 4, 0 A 102, 0 P 91, 3 A 31, 2 A 104, 2 P 73, 1 A 31
  detection 0 A 25, 3 A 50, 2 A 0, 2 P 106, 0 A 57, 3 A 36, 1 A 102, 1 P 9
  zone 4 12, 11 17
  counts 0 0 1 3 0 4
  found
  lasting
  seen

  end 111
  reference 0 3 29, 0 34 58, 0 63 74, 0 79 92, 0 97 98, 0 99 127, 1 5 16, 1 16 42, 1 42 56, 1 68 85
  reference 1 86 88, 1 88 95, 1 93 122, 2 2 29
  detection 3 P 73, 1 A 4, 3 A 90, 2 A 2, 0 A 87, 2 P 63, 2 A 72
  counts 8 0 10 207 0 2
  found 0 0 0 0 0 0 0 43
  lasting
  seen

  end 84
  reference 0 5 15, 0 15 17, 0 18 37, 0 35 50, 0 62 91, 1 12 27, 1 27 54, 1 59 81
  detection 0 A 72, 0 P 20, 3 A 36, 1 P 73, 1 A 33, 0 P 13, 2 P 59, 1 P 64, 2 P 62, 2 P 58, 0 A 72
  detection 2 A 37, 2 A 60, 0 P 27, 2 P 37, 1 A 38, 3 P 2, 0 A 63, 1 A 33, 2 P 75, 0 A 88, 2 P 16
  detection 1 P 6, 2 A 4
  zone 14 23
  counts 3 2 4 113 58 3
  found 0
  lasting 21 21
  seen 0 0 5 8

  end 62
  reference 0 5 12, 0 13 30, 0 30 53, 0 65 76, 1 6 24, 2 -4 20, 2 25 52, 2 57 80
  detection 3 P 40, 0 P 56, 0 P 20, 3 A 17, 2 A 50, 1 P 13, 1 A 30
  counts 5 0 6 117 44 1
  found 0 0 0 6
  lasting
  seen 7 7

  end 71
  reference 0 4 31, 0 29 57, 0 57 65, 0 70 78
  detection 0 A 31, 3 P 28, 0 P 25, 2 A 19
  zone 61 73, 54 62
  counts 0 1 1 50 6 1
  found
  lasting 34
  seen 21

  end 95
  reference 0 10 22, 0 34 63, 0 64 70, 0 75 88, 0 93 120
  detection 2 P 28, 1 A 42, 1 P 16, 0 A 34, 1 A 35, 1 P 99, 2 P 28, 0 P 67, 0 P 70, 1 A 38, 0 A 74
  detection 0 P 83
  zone 41 55, 77 90
  counts 3 0 5 37 5 2
  found 0 0 4
  lasting
  seen 0 3 8

  end 49
  reference 0 14 25, 0 26 29, 0 30 46, 0 46 51, 0 52 77
  detection 1 P 1, 0 A 10, 1 A 27, 2 A 45, 1 P 19, 3 A 37, 0 A 1, 1 A 31, 1 P 24, 0 A 6, 2 P 21
  detection 3 P 6, 3 P 51
  zone 31 43
  counts 2 0 3 21 0 3
  found 0 0
  lasting
  seen

  end 103
  reference 0 -4 25, 0 26 41, 0 42 59, 0 60 63, 0 68 82, 0 94 103, 1 6 11, 1 11 39, 1 51 66, 1 67 91
  reference 1 103 105
  detection 0 P 50, 1 A 15, 3 A 18, 0 A 13, 2 A 18, 1 P 23, 2 P 76, 0 P 2, 1 A 75, 0 A 101
  zone 10 16, 75 87
  counts 7 1 9 124 73 0
  found 0 0 0
  lasting 2
  seen 0 0 0 0 0 2 8 17

  end 99
  reference 0 -3 7, 0 5 13, 0 14 22, 0 27 47, 0 45 74, 0 75 79, 0 77 96, 1 5 9, 1 7 30, 2 1 8, 2 6 9
  reference 2 21 28, 2 40 69
  detection 2 A 44, 3 P 2, 1 P 82, 2 A 10, 0 A 4, 1 A 49, 1 A 17, 0 A 93, 0 P 65, 2 P 65, 0 P 67
  detection 0 P 62, 3 A 87, 3 A 2, 1 A 66, 3 A 17, 0 A 37, 2 P 60
  zone 97 104
  counts 8 1 8 158 39 1
  found 0 0 0 0 0
  lasting 3
  seen 0 20 35

  end 26
  reference 0 5 30, 1 7 36
  detection 0 P 15, 0 A 27, 1 A 23, 0 P 9, 2 P 30, 3 A 11, 0 P 6
  zone 18 21
  counts 0 0 2 34 17 0
  found
  lasting
  seen 1

  end 92
  reference 0 -3 8, 0 13 31, 0 43 70, 0 82 86, 0 91 92, 0 93 100, 1 12 19, 1 31 60, 2 8 29
  detection 3 A 34, 2 P 22, 1 A 8, 1 P 39, 3 P 42, 2 A 69
  counts 7 0 8 115 28 1
  found 0 0 0 0 0 40
  lasting
  seen 8 14

  end 75
  reference 0 9 33, 0 45 54, 0 54 64, 0 69 72, 0 77 104, 1 14 24, 1 25 33, 1 38 60
  detection 3 A 3, 3 P 76, 1 A 14, 1 A 26, 1 A 49, 3 P 58
  counts 6 0 6 86 0 1
  found 0 0 0 0 0 0
  lasting
  seen

  end 55
  reference 0 11 39, 0 40 60, 0 58 62
  detection 3 A 19, 3 P 43, 1 A 7, 1 A 13, 2 P 0, 3 P 48, 1 P 14, 1 P 9, 3 P 16, 0 A 4, 3 A 31
  counts 1 0 2 43 0 5
  found 0
  lasting
  seen

  end 28
  detection 0 P 13, 3 P 8, 0 A 0, 0 A 19, 3 P 11, 3 P 27, 0 P 17
  counts 0 0 0 0 0 2
  found
  lasting
  seen

  end 96
  reference 0 11 34, 0 35 48, 0 46 66
  zone 69 70, 19 28
  counts 2 0 2 45 0 0
  found 0 0
  lasting
  seen

  end 83
  reference 0 7 16, 0 17 46, 0 44 55, 1 -4 18, 1 30 48, 1 49 67, 1 79 97, 2 -4 0
  detection 1 A 0, 3 P 53, 1 A 46, 0 A 56, 2 A 74, 2 A 42
  zone 1 13, 54 60
  counts 4 0 5 80 0 1
  found 0 0 0 0
  lasting
  seen

  end 22
  reference 0 14 34, 1 7 25
  detection 0 A 9, 2 P 20, 0 P 19, 1 A 13, 2 A 12, 0 P 4, 2 A 0, 0 A 9, 1 A 15, 0 A 23, 0 A 9, 2 P 5
  detection 3 A 26, 2 P 24, 2 A 22, 0 A 15, 1 P 5, 1 P 24, 3 P 20, 1 A 26, 2 P 10, 1 P 18, 3 A 21
  detection 0 A 18
  counts 0 1 2 23 13 5
  found
  lasting 5
  seen 0 5

  end 91
  reference 0 5 25, 0 37 41, 0 46 67, 0 67 78, 0 76 88, 0 88 98
  detection 2 P 5, 1 P 45, 2 P 51, 2 A 38, 1 P 81, 0 P 53, 0 P 42, 3 P 59, 1 A 45, 0 A 48, 0 P 63
  detection 3 A 91, 2 A 4
  counts 2 1 3 69 40 5
  found 0
  lasting 5
  seen 0

  end 80
  reference 0 0 13, 0 25 44, 0 44 46, 0 44 47, 0 45 66
  detection 0 A 62, 3 P 82, 3 A 17, 1 P 14, 0 P 72, 3 P 3, 2 P 24, 1 P 31, 1 P 84, 3 A 22, 2 A 41
  detection 0 A 82, 0 P 5, 3 P 38, 0 A 15, 0 P 44, 3 A 25, 3 P 55, 1 A 80, 3 P 54, 2 P 76
  zone 69 81
  counts 2 1 2 54 26 4
  found 2
  lasting 4
  seen 5 19

  end 44
  detection 3 P 28, 0 A 1, 2 A 7, 1 A 39
  counts 0 0 0 0 0 1
  found
  lasting
  seen

  end 102
  reference 0 -5 5, 0 3 8, 0 13 30, 0 35 55, 0 53 60, 0 65 88, 0 86 94, 0 99 109
  detection 0 A 80, 0 P 68, 2 A 59, 2 A 27, 3 P 62, 1 A 68, 1 P 65, 2 P 60, 0 P 98, 2 A 2, 1 P 11
  detection 1 P 25, 1 A 50, 3 P 74, 0 P 13, 0 P 16, 3 A 50, 2 P 59
  zone 78 87, 37 51
  counts 4 0 5 59 44 5
  found 0
  lasting
  seen 0 0 0 0

  end 72
  reference 0 6 32, 0 37 51, 1 -4 23, 1 24 44
  detection 2 P 24, 0 A 17, 2 A 62, 2 A 35, 1 A 34, 0 P 42, 1 P 24, 0 P 51, 3 P 30, 2 A 53
  counts 4 1 4 83 19 2
  found 0 0 0
  lasting 10
  seen 0 5

  end 98
  reference 0 -3 5, 0 17 32, 0 32 39, 0 37 56, 1 8 21, 2 -1 21, 2 21 22
  detection 2 P 11, 1 A 24, 0 A 36, 3 A 60, 3 P 1, 1 P 24, 2 A 80, 0 A 54, 3 P 24, 0 P 92, 3 P 23
  detection 1 A 60, 1 A 36, 0 A 76, 0 A 81, 1 P 47, 0 A 38, 2 P 8, 3 A 85, 0 A 29
  counts 4 0 4 79 14 4
  found 0 39 58
  lasting
  seen 8

  end 77
  reference 0 6 9, 0 10 21, 0 26 34, 0 46 66, 0 67 91
  detection 1 A 6, 2 A 58, 0 A 68, 3 A 12
  counts 4 0 5 52 0 0
  found 0 0 0 0
  lasting
  seen

  end 65
  reference 0 0 26, 0 24 41, 0 42 63, 0 61 88, 1 -2 9, 1 21 50, 1 51 64, 1 62 91
  detection 3 P 18, 1 P 55, 3 A 56, 2 P 67, 3 P 67, 1 P 18, 0 A 8, 0 A 65, 1 A 68, 3 A 4, 2 P 7
  detection 0 P 67, 0 A 45
  zone 42 45
  counts 3 0 4 110 40 3
  found 0
  lasting
  seen 0 0

  end 55
  reference 0 10 18, 0 30 40, 0 40 56
  detection 3 P 18, 1 A 9, 3 P 23, 0 P 10, 1 P 30, 0 P 5, 3 A 23, 3 P 6, 1 P 32, 0 P 16, 1 P 21
  detection 0 A 8, 3 A 7, 3 A 7, 1 P 34, 1 A 50, 3 A 45, 3 P 10, 1 P 13
  counts 1 0 2 33 33 4
  found
  lasting
  seen 0 0

  end 43
  reference 0 -3 20, 0 32 57, 1 -2 22, 1 20 23, 1 24 39, 1 40 67
  detection 2 P 8, 0 P 32, 3 A 23, 3 P 22, 2 P 42, 3 P 8, 0 A 21, 0 A 34, 3 P 21, 1 A 18, 3 A 45
  detection 1 P 19, 3 P 32, 2 A 41, 2 P 21, 1 P 7, 3 P 40, 2 P 2, 2 P 40, 3 A 37, 2 A 21, 0 P 31
  counts 3 2 5 72 35 7
  found
  lasting 1 9
  seen 0 0 0 7

  end 48
  reference 1 14 35, 1 35 38, 1 50 66
  detection 1 A 11, 0 A 19, 2 P 22, 1 A 11, 1 P 50, 1 P 4, 1 P 20, 2 A 40, 2 P 51, 3 A 52, 0 P 42
  detection 0 P 4, 2 P 27, 1 A 48, 3 P 10, 3 P 25, 3 A 25, 1 A 27, 3 A 17, 2 A 16, 1 A 13, 3 A 40
  counts 1 1 1 24 7 5
  found 0
  lasting 11
  seen 6

  end 51
  reference 0 1 28, 0 26 31, 1 11 26, 1 38 56, 1 54 78
  detection 0 P 18, 1 A 52, 3 A 22, 3 P 1, 0 P 18, 0 A 41, 0 P 55, 2 P 25, 2 P 10, 3 P 35, 3 P 6
  detection 2 A 4, 3 P 42
  counts 2 0 3 58 13 3
  found 0 10
  lasting
  seen 17

  end 82
  reference 0 10 16, 0 28 37, 0 42 54, 0 54 63, 0 75 77, 0 78 101
  detection 0 A 30, 1 A 49, 0 A 64, 2 A 42, 0 P 28, 2 A 25, 1 P 77, 3 P 83, 1 A 24, 0 A 36, 2 P 53
  detection 1 P 47, 3 P 22, 1 P 38, 1 A 33, 3 P 18, 2 P 72, 0 A 34, 1 P 84
  zone 25 31, 78 85
  counts 4 0 3 35 0 4
  found 0 0 0 0
  lasting
  seen

  end 56
  reference 0 12 28, 0 26 38, 0 50 52, 0 52 59, 0 59 62, 1 2 13, 1 11 14, 1 26 49, 1 47 75
  detection 2 P 53, 1 P 35, 1 P 49, 2 P 42, 2 A 34, 3 P 39, 0 P 40, 0 P 8, 3 A 41, 2 P 53, 1 A 26
  detection 0 P 58, 2 P 1, 2 A 56, 0 P 38, 0 P 58
  zone 3 15
  counts 1 0 3 60 50 3
  found
  lasting
  seen 0 9

  end 109
  reference 0 14 17, 0 17 22, 0 34 55, 0 55 68, 0 68 87, 0 92 110, 1 0 17, 1 22 51, 1 52 63
  detection 0 A 84, 3 P 106, 3 P 91, 2 P 91, 2 P 40, 2 P 58, 2 P 102, 1 A 45, 3 A 9, 3 P 94, 2 A 113
  detection 2 A 72
  counts 5 0 6 135 0 3
  found 0 0 0 0 0
  lasting
  seen

  end 96
  reference 1 -2 1
  detection 1 A 77, 2 P 89, 1 P 1, 3 A 42, 0 A 2, 1 A 100
  zone 49 59, 56 69
  counts 1 0 1 1 0 2
  found 76
  lasting
  seen

  end 22
  reference 0 0 29, 1 6 9, 1 10 29, 2 3 16
  detection 0 A 14, 1 P 17, 1 P 24, 0 A 25, 3 A 5, 3 P 8, 2 A 26, 3 A 10, 1 P 19, 1 P 16, 1 A 3
  detection 3 A 0, 3 A 4, 2 P 24, 3 A 11, 1 P 17, 3 A 12, 3 A 19, 1 A 4, 2 A 26, 1 A 25, 2 A 7
  zone -2 3
  counts 2 0 2 47 6 1
  found 0 0
  lasting
  seen 6

  end 103
  reference 0 13 32, 0 30 57, 0 55 79, 0 91 98, 0 99 101, 0 102 131, 1 2 12, 1 10 12, 1 17 36
  reference 2 10 26, 2 26 42, 2 40 43, 2 48 52, 2 57 68
  detection 1 P 8, 0 P 34
  counts 8 0 9 153 78 0
  found 0 0 0
  lasting
  seen 0 0 0 0 6 21

  end 96
  reference 0 3 9, 0 21 24, 0 22 24, 0 29 40, 0 40 57, 0 69 78, 0 83 100
  detection 1 P 25, 0 A 22, 2 P 44, 1 P 27, 1 P 4, 3 P 21, 2 A 21, 3 A 32, 2 A 45, 3 P 39, 3 A 38
  detection 3 P 72, 2 A 28, 2 A 87, 2 A 32, 1 P 6
  zone 49 60, 10 23
  counts 3 0 4 49 0 3
  found 0 0 0
  lasting
  seen

  end 84
  reference 0 14 15, 0 27 28, 0 26 50, 1 3 25, 1 30 57, 1 55 72, 2 9 33, 2 33 57
  detection 2 A 17, 2 A 60, 1 A 2, 1 P 45, 1 P 59, 3 P 43, 2 A 60, 2 P 66, 3 P 19, 2 P 22, 2 P 44
  detection 2 A 22, 3 P 27, 3 A 42, 1 P 10
  counts 5 0 5 137 70 3
  found 0 0
  lasting
  seen 0 7 35

  end 52
  detection 2 A 24, 0 P 40, 1 P 29, 1 A 20
  zone 8 20
  counts 0 0 0 0 0 2
  found
  lasting
  seen

  end 30
  detection 1 P 26, 3 P 7, 0 A 22, 0 A 17, 2 P 34, 3 P 23, 3 A 33, 0 A 7, 3 P 6, 2 A 22, 0 P 26
  detection 3 A 5
  zone -1 7
  counts 0 0 0 0 0 2
  found
  lasting
  seen

  end 98
  reference 0 11 36, 0 36 55, 0 53 67, 0 67 73, 0 71 72, 1 0 12, 1 17 30, 1 30 31, 1 36 61, 1 61 84
  reference 1 85 109
  detection 3 A 88, 1 P 70, 2 A 3, 1 A 10, 2 A 14
  zone 36 47, 61 70
  counts 4 0 4 109 27 0
  found 0 0 0
  lasting
  seen 0

  end 88
  reference 0 1 26, 0 31 37, 0 49 59, 0 57 80, 1 10 19, 1 17 42, 1 43 67, 1 67 94
  detection 2 A 68, 2 A 88, 1 P 90, 0 P 83, 1 P 51, 0 P 59, 1 A 38, 1 A 6, 0 P 69, 3 A 44, 3 A 16
  detection 2 A 48, 1 P 22, 0 P 69, 1 P 45
  counts 4 1 5 139 80 0
  found 0 0 0
  lasting 4
  seen 2 10 12

  end 43
  reference 0 6 10, 0 15 42, 0 42 66, 1 5 30, 1 31 54
  counts 2 0 4 69 0 0
  found 0 0
  lasting
  seen

  end 62
  reference 0 4 5, 0 5 8, 0 13 22, 0 27 37, 0 49 76, 1 -4 17, 1 29 34, 1 32 41, 1 41 46, 1 51 80
  detection 3 A 9, 1 A 29, 0 A 38, 1 A 14
  counts 5 0 7 81 0 0
  found 0 0 0 0 0
  lasting
  seen

  end 59
  reference 0 10 35, 0 40 41, 0 46 69, 1 2 17, 1 29 44, 1 42 47, 1 45 54, 1 55 58, 1 58 67, 2 -3 2
  reference 2 0 21, 2 33 61, 2 62 66
  detection 1 P 34, 3 A 44, 3 A 40, 3 A 26, 0 A 54, 3 A 62, 2 A 35, 0 A 25, 2 A 9, 0 P 8, 3 P 5
  detection 0 A 35, 0 A 9, 3 P 25, 3 P 34
  counts 5 0 8 130 24 3
  found 0 0 0 0
  lasting
  seen 0 5

  end 41
  reference 0 8 10, 0 10 34, 0 35 42, 0 43 62, 1 -3 10, 1 10 13, 1 14 26, 2 -3 16, 2 16 42, 2 40 62
  detection 1 P 39, 3 A 18, 0 P 13, 0 P 9, 2 P 30, 3 P 22, 2 A 36, 2 A 19, 0 P 36
  counts 3 1 5 98 37 2
  found 0
  lasting 5
  seen 0 1 30

  end 71
  reference 0 -1 25
  detection 0 P 56, 2 A 48, 2 P 70, 3 P 21
  zone 27 27, 42 51
  counts 1 0 1 25 0 3
  found
  lasting
  seen

  end 99
  reference 0 -3 23, 0 28 49, 0 61 68, 0 73 97, 0 98 107
  detection 1 P 84, 2 P 51, 3 P 65, 3 A 52, 1 A 15, 2 A 21, 2 P 64, 0 A 85, 1 A 26, 2 A 83, 3 A 2
  detection 2 P 53, 0 A 34, 3 A 101, 2 P 24, 0 P 31, 2 P 27, 2 A 79, 3 A 72, 1 A 62, 3 P 39, 3 A 56
  detection 2 P 32, 3 A 76
  zone 70 83, 4 8
  counts 4 1 4 62 3 4
  found 0 0 0 0
  lasting 15
  seen 3

  end 33
  reference 0 10 25, 1 5 24, 1 25 32, 1 37 63
  detection 2 A 9, 0 A 32, 0 A 19, 2 P 4, 2 A 19, 3 A 31, 2 P 33, 0 A 17, 0 P 13, 2 A 9, 2 P 34
  detection 0 P 27, 2 A 0, 3 A 17, 3 A 31, 1 A 8, 3 P 24, 2 P 23, 1 A 16, 3 A 11, 2 A 11, 1 A 29
  zone 9 16, 7 17
  counts 3 0 2 24 0 4
  found 0 0 7
  lasting
  seen

  end 79
  reference 0 -5 3, 0 1 3, 0 8 23, 0 21 43, 0 43 58, 0 58 81, 0 82 100, 1 7 11, 1 11 24, 1 29 43
  reference 1 43 59, 1 64 75, 1 80 90, 2 7 11, 2 23 47, 2 45 49, 2 61 90
  detection 0 P 69, 1 P 30, 0 A 49, 0 P 10, 1 P 80
  counts 6 1 8 180 89 0
  found 0 0 0 0
  lasting 20
  seen 0 1 2

  end 87
  reference 0 11 16
  detection 1 P 74, 3 P 89
  counts 1 0 1 5 0 1
  found 0
  lasting
  seen

  end 25
  reference 0 10 19, 0 17 18, 2 8 24, 2 29 58
  detection 0 P 22, 0 A 0, 3 P 26, 2 A 2, 0 A 14, 1 A 26, 0 P 1, 3 P 25, 3 P 11, 2 A 7, 0 A 26
  detection 2 P 16, 3 A 27, 0 P 28, 1 P 0, 2 A 21, 2 P 25, 3 A 8, 3 P 3, 0 P 11, 3 P 8, 3 P 21
  zone 17 22
  counts 1 1 2 18 5 3
  found
  lasting 5
  seen 0 8

  end 59
  reference 0 9 22, 0 20 44, 2 9 10, 2 15 25, 2 26 41, 2 42 52, 2 50 68
  detection 2 A 43, 2 P 55
  zone 3 15
  counts 3 0 2 71 4 0
  found 0 0 0
  lasting
  seen 13

  end 43
  reference 0 14 35, 1 13 40, 1 40 41, 1 46 61
  detection 3 A 15, 0 P 45, 2 P 13, 3 P 25, 3 A 22, 0 P 12, 0 P 23, 3 A 25, 3 A 6, 0 P 27, 1 A 26
  zone 26 34, 4 10
  counts 2 0 2 33 13 2
  found 0
  lasting
  seen 0

  end 97
  reference 1 -4 8, 1 13 39, 1 37 45, 1 57 65, 2 1 9
  detection 0 A 42, 0 P 52, 1 P 29, 1 P 4, 3 A 22, 0 P 40, 3 A 88, 0 P 93, 1 A 73, 2 A 78, 3 A 57
  detection 3 P 25, 3 A 5, 1 A 49, 1 A 47, 3 A 15, 0 A 41, 2 A 84, 2 P 59, 0 P 27, 1 A 57, 3 P 100
  zone 69 78, 33 45
  counts 3 0 4 44 24 4
  found 0 69
  lasting
  seen 0 4

  end 26
  reference 0 7 33
  detection 3 P 5, 3 P 22, 2 A 2, 2 A 17, 3 A 1, 1 A 27, 0 P 26, 2 A 0, 2 A 5, 1 A 4, 2 A 26
  counts 0 0 1 19 0 1
  found
  lasting
  seen

  end 58
  reference 0 -1 27, 0 28 56, 0 56 72
  detection 2 A 3, 2 P 4, 2 P 46, 0 A 16, 0 A 59, 2 A 54, 2 A 39, 2 P 39, 3 A 19, 1 A 26, 2 A 30
  detection 2 P 43, 0 A 23, 0 P 44, 0 P 43, 0 A 18, 0 P 33
  counts 1 0 2 57 25 2
  found 0
  lasting
  seen 5

  end 58
  reference 0 3 4, 0 9 35, 0 47 74
  detection 1 A 37, 0 P 43, 3 P 39, 3 A 9, 0 P 28, 0 P 11, 0 P 0, 0 P 43, 0 P 34, 3 A 40, 3 P 41
  detection 0 P 44, 2 A 0, 2 P 36, 0 A 37, 0 A 6, 2 P 32, 1 P 17, 2 P 42, 3 P 47, 0 P 31, 0 A 15
  zone 16 23, 44 55
  counts 2 1 2 23 15 5
  found 2
  lasting 13
  seen 0 2

  end 109
  reference 0 -2 17, 1 13 30, 1 30 50, 1 48 57, 1 69 75, 1 73 83, 1 83 98, 1 110 136
  counts 3 0 3 90 0 0
  found 0 0 0
  lasting
  seen

  end 91
  reference 0 10 12, 0 13 38, 0 38 41, 0 41 48, 0 60 65, 0 65 82, 0 80 91, 0 92 100, 1 2 7, 2 6 23
  detection 1 P 61, 0 P 26, 0 A 63, 0 P 41, 3 P 63, 0 P 85, 0 A 33, 0 A 78, 0 A 83, 1 P 18, 0 P 77
  detection 3 A 89, 1 P 73, 0 A 48
  zone 59 68
  counts 4 2 4 82 21 1
  found 0 0 0
  lasting 7 8
  seen 13

  end 115
  reference 0 -4 23, 0 24 31, 0 32 43, 0 43 46, 0 51 62, 0 62 77
  detection 1 P 72, 3 A 46, 3 A 99, 1 P 58, 3 P 57, 2 A 9, 0 P 38, 1 P 103, 3 P 13, 1 P 113, 0 A 111
  detection 0 A 54, 0 P 99, 2 A 26, 2 P 37, 3 A 8, 1 A 39, 0 A 104, 3 A 109
  counts 4 1 4 70 11 5
  found 0 0 27
  lasting 23
  seen 0 6

  end 74
  reference 0 9 32, 0 44 60, 0 61 67, 0 72 91
  detection 1 P 34, 0 A 37, 3 P 59, 1 A 33, 1 A 31, 1 P 59, 3 P 17, 3 A 54, 2 P 18, 0 A 26
  counts 3 0 4 47 0 4
  found 0 0 0
  lasting
  seen

  end 34
  reference 0 8 14, 0 19 44, 1 -4 15, 1 13 39
  detection 1 A 26, 3 P 35, 2 P 0, 3 A 7, 3 P 15, 2 A 11, 0 A 17, 1 P 5, 2 P 32, 0 P 17, 2 A 38
  detection 0 A 6, 0 P 1, 2 P 32, 3 A 8, 1 P 30
  zone 26 26
  counts 1 0 3 55 40 5
  found
  lasting
  seen 0 5

  end 29
  reference 0 1 27
  detection 2 P 7, 0 A 22, 1 A 11, 0 A 0, 3 P 3, 0 P 3, 2 P 16, 2 P 16, 3 A 32, 2 P 20, 0 P 18
  detection 3 A 16, 3 P 24, 3 A 5, 0 A 0, 1 A 14, 2 P 6, 3 A 20, 3 A 32
  counts 1 1 1 26 19 3
  found 0
  lasting 5
  seen 2

  end 116
  reference 0 14 41, 0 39 56, 1 1 25, 1 30 52, 1 57 64, 1 64 76, 1 88 94
  detection 3 A 52, 3 A 92, 3 A 62, 3 P 52, 3 A 70, 1 P 116, 0 P 83
  counts 5 0 5 113 0 2
  found 0 0 0
  lasting
  seen

  end 114
  reference 0 1 14, 0 19 43, 0 41 57, 0 69 82, 1 5 10, 1 10 12
  detection 1 P 27, 2 A 76, 1 A 68, 3 P 70, 2 P 24, 1 A 95, 2 A 110, 2 A 89, 1 A 104, 3 P 101
  detection 0 P 110, 3 P 36, 2 P 60, 1 A 92, 1 P 54, 2 A 67, 1 P 73, 3 A 88, 3 A 4, 2 A 38, 3 P 96
  detection 1 P 26, 1 P 116
  zone 29 32, 32 42
  counts 4 0 4 58 0 6
  found 0 0 80
  lasting
  seen

  end 88
  reference 0 7 13
  detection 0 P 2, 2 A 56
  counts 1 0 1 6 6 1
  found
  lasting
  seen 0

  end 49
  reference 0 3 23, 0 21 30, 0 35 59, 2 -1 2
  detection 3 P 24, 2 P 37, 0 A 26, 3 P 14, 3 A 38, 0 A 24, 1 A 41, 2 A 41, 3 P 0, 1 A 8, 0 A 16
  counts 2 0 3 43 0 2
  found 0 39
  lasting
  seen

  end 115
  reference 0 -5 22, 0 34 46, 0 44 73, 0 73 81, 0 82 83, 0 88 96, 0 97 114, 1 13 42, 1 54 62
  reference 1 67 95, 1 93 121, 2 14 36, 2 37 60, 2 60 83
  detection 3 P 31, 2 A 43, 1 P 119, 2 P 16, 1 P 48, 2 P 32, 2 P 106, 2 A 37, 3 P 107, 0 P 30
  detection 2 P 55, 1 A 26, 2 P 115, 0 P 60, 1 A 22, 0 P 46, 2 P 90, 1 P 106, 1 A 104, 1 A 12
  detection 3 A 51, 1 A 114, 1 P 64, 0 P 6
  counts 9 3 10 248 190 3
  found
  lasting 1 2 18
  seen 0 0 0 0 0 0 2 6 18

  end 31
  reference 0 10 33, 1 1 13, 1 11 32, 1 32 55
  detection 0 P 35, 3 A 27, 2 P 18
  zone 21 28
  counts 0 0 2 37 0 1
  found
  lasting
  seen

  end 70
  reference 0 -4 14, 0 14 16, 1 0 27, 1 39 64
  detection 3 A 28, 1 A 62, 1 P 64, 1 A 37, 1 P 37, 0 A 39, 1 A 21, 0 P 37, 1 P 27, 3 A 63, 3 P 20
  detection 3 P 45, 3 P 71, 0 A 53, 3 A 64
  zone 17 18
  counts 3 1 3 67 23 5
  found 23
  lasting 2
  seen 0

  end 71
  reference 0 -5 16, 0 28 54, 0 54 82, 2 9 38, 2 39 63, 2 68 83
  detection 2 P 39, 2 A 67, 0 P 68, 2 A 20, 1 A 11, 3 P 37, 2 A 22, 3 P 41, 1 P 7, 3 P 55, 3 P 68
  detection 0 A 50, 3 P 25, 3 A 37, 2 P 46, 3 P 24, 2 A 40, 2 P 43, 2 A 16, 1 P 58, 1 A 51, 3 A 13
  zone -5 2, 35 45
  counts 2 0 3 94 21 3
  found 0 4
  lasting
  seen 40

  end 117
  reference 0 -4 10, 0 10 11, 0 16 32
  detection 3 P 90, 0 A 79, 3 P 57, 0 A 27, 1 P 69, 1 P 64, 2 A 42, 0 A 52, 2 P 39, 3 A 43, 3 A 25
  detection 2 P 81, 2 A 121, 1 P 42, 2 P 52, 2 P 43, 3 A 82
  counts 2 0 2 27 0 5
  found 0 0
  lasting
  seen

  end 89
  reference 1 -1 14, 2 2 22, 2 22 43, 2 44 51, 2 56 61, 2 59 71, 2 76 87
  detection 2 A 3, 1 A 10, 2 A 33, 3 P 45, 2 P 24, 3 P 35, 2 A 50, 0 P 19, 2 P 21, 3 A 80, 1 A 68
  detection 2 A 21, 0 P 32, 3 A 29, 2 P 33
  zone 57 62, 4 11
  counts 5 1 5 69 25 2
  found 0 0 0 0
  lasting 1
  seen 0 22

  end 68
  reference 0 -3 3, 0 1 9, 0 9 25, 0 37 42, 0 42 71, 0 69 71
  detection 1 A 2, 2 P 26, 2 A 58, 3 A 5, 0 A 51, 3 P 67, 2 P 16
  zone -1 12
  counts 1 0 1 44 0 2
  found 0
  lasting
  seen

  end 45
  reference 0 3 16, 0 14 26, 0 24 40, 0 40 64, 1 14 18, 1 18 41, 1 46 64, 2 11 14, 2 19 21, 2 26 42
  reference 2 47 74
  detection 2 A 2, 0 P 27, 3 P 33, 0 P 6, 2 A 3, 2 A 44, 2 A 18, 2 P 23, 3 P 27, 2 P 9, 2 P 19
  detection 3 P 48
  counts 4 0 5 90 60 2
  found 0 2 4
  lasting
  seen 0 0 0 3

  end 105
  reference 0 10 14, 0 15 38, 0 43 68, 1 14 37, 1 37 64, 1 76 102, 1 100 104, 1 105 128, 2 -3 13
  reference 2 14 30, 2 28 29, 2 30 55, 2 67 81, 2 86 110
  detection 3 P 87, 0 A 104, 1 P 3, 3 A 69, 3 A 50, 2 P 65, 0 A 59, 0 A 73, 1 A 0, 2 P 64, 2 P 4
  detection 0 A 79, 0 A 28, 1 A 80, 1 A 75, 0 P 95, 3 A 64, 0 A 74, 2 A 69, 1 A 0, 2 P 96, 1 A 27
  detection 0 A 70, 2 A 13
  zone -1 3
  counts 8 2 8 214 33 3
  found 0 0 0 0 0 0 36
  lasting 12 37
  seen 0 0 10

  end 119
  reference 0 5 11, 0 11 20, 0 20 42, 0 40 68, 0 73 100, 0 100 113, 0 118 132
  detection 2 P 37, 2 P 61, 0 A 16, 1 A 88, 3 A 116, 2 P 92, 1 P 48, 2 A 93, 1 A 115, 1 P 36, 0 P 92
  detection 0 P 97, 3 P 22, 2 P 118, 2 A 5, 0 A 93, 0 P 117, 2 P 113, 1 A 21
  counts 2 1 3 104 18 4
  found 0
  lasting 4
  seen 0 19

  end 114
  reference 0 3 22, 0 34 48, 0 48 73, 1 9 21, 1 22 31, 1 36 39, 1 40 58, 1 56 66, 1 66 75, 2 14 38
  reference 2 38 56, 2 56 79, 2 77 94, 2 94 109, 2 109 120
  detection 0 A 0, 1 A 82, 2 A 35, 1 P 28, 3 P 104, 1 P 37, 1 A 115, 3 A 88, 0 P 73, 2 P 14, 2 P 74
  detection 3 A 41, 2 P 67, 1 P 83
  zone 8 15
  counts 6 1 5 203 108 3
  found 0 0
  lasting 32
  seen 0 0 6

  end 73
  reference 0 12 22, 0 20 32, 0 44 69, 0 69 82
  detection 1 P 46, 1 A 38, 0 A 68, 2 A 36, 2 A 68
  zone 40 49
  counts 1 0 1 44 0 0
  found 0
  lasting
  seen

  end 28
  reference 0 3 16, 0 21 48, 1 -2 19, 1 20 47
  detection 3 A 5, 3 A 11, 2 A 16, 0 A 10, 3 P 14, 1 A 17, 1 A 6, 2 A 4, 2 A 17, 1 A 30, 0 P 6
  detection 0 P 32, 1 A 24, 2 A 7, 0 A 18, 0 P 4, 0 A 14, 2 P 27
  zone 5 15, 5 6
  counts 2 0 4 27 1 1
  found 0 0
  lasting
  seen 1

  end 75
  detection 3 A 26, 2 A 48, 3 P 18
  zone 41 55
  counts 0 0 0 0 0 1
  found
  lasting
  seen

  end 32
  reference 1 3 21, 1 22 33
  detection 2 P 21, 1 P 0, 1 P 18, 2 A 18, 1 A 32, 0 A 23, 1 P 31, 3 A 33, 3 P 29, 1 P 15, 0 P 15
  detection 2 A 25, 0 P 28, 3 A 1, 2 A 30, 2 A 17, 3 P 4, 0 A 7, 3 P 18, 2 A 25, 1 A 27, 1 P 35
  detection 1 P 34, 0 P 35
  counts 1 1 2 28 24 5
  found
  lasting 4
  seen 0 0

  end 98
  reference 0 4 9, 0 7 18, 0 16 18, 0 18 29, 0 27 45, 0 57 58
  detection 3 P 100, 1 A 92
  zone 97 107, -4 2
  counts 2 0 2 42 0 0
  found 0 0
  lasting
  seen

  end 30
  reference 0 0 5, 0 6 17, 0 18 40, 1 10 20, 1 21 25, 1 30 31, 1 29 56
  detection 1 A 3, 1 A 27, 1 A 17, 1 A 21, 0 A 25, 0 P 34
  counts 4 0 6 43 0 0
  found 0 0 0 0
  lasting
  seen

  end 41
  reference 0 0 28, 1 -3 -2, 1 10 39
  detection 1 P 31, 0 A 25, 1 A 33, 3 A 45, 1 P 22, 0 A 9, 1 P 10, 3 A 35, 3 A 4, 3 P 27, 2 A 33
  zone 11 23, 11 22
  counts 2 1 2 33 11 1
  found 0 0
  lasting 6
  seen 0

  end 64
  reference 0 -5 -2, 0 -1 23, 0 24 30, 0 35 64, 0 62 86, 1 13 20, 1 21 43, 1 44 68, 1 68 79, 2 10 37
  reference 2 42 61, 2 59 80
  detection 3 A 25
  counts 5 0 8 156 0 0
  found 0 0 0 0 0
  lasting
  seen

  end 117
  reference 0 9 30, 0 35 44
  detection 3 A 34, 3 P 34, 2 A 72, 2 P 20, 3 A 74, 2 P 57
  zone 69 76, 33 39
  counts 2 0 1 26 0 1
  found 0 0
  lasting
  seen

  end 72
  reference 0 14 19, 0 24 26, 0 26 35, 0 47 59, 1 -2 25, 1 37 51, 1 51 68, 1 69 74
  detection 3 P 11, 1 P 14, 1 P 9
  zone 42 46, 28 34
  counts 5 0 6 77 46 1
  found 0 0 0
  lasting
  seen 0 0 9

  end 38
  reference 0 14 37, 0 38 57, 1 -4 1, 2 13 42, 2 40 44
  detection 3 P 12, 2 A 16, 2 P 33, 0 P 14, 1 P 36, 1 A 15, 0 P 12, 1 P 26, 3 P 12, 1 P 39, 1 P 12
  detection 0 A 22, 2 A 11, 3 A 12, 3 P 20, 3 A 0, 1 A 41
  counts 2 1 3 49 13 4
  found 0
  lasting 15
  seen 0 20

  end 61
  reference 2 14 15, 2 20 28, 2 33 59, 2 64 86
  detection 0 P 8, 0 A 0, 3 A 59, 2 P 24, 1 P 49, 1 P 6, 0 P 24, 1 P 26, 2 P 62, 0 A 23, 1 P 58
  detection 1 P 48, 1 A 63
  zone 30 43
  counts 3 0 2 25 20 3
  found 0
  lasting
  seen 4

  end 81
  reference 0 1 28, 0 26 40, 0 52 55, 0 55 74, 0 72 76, 0 74 86, 0 84 104
  detection 3 P 70, 1 A 13, 1 A 22, 0 A 73, 0 P 27, 0 A 60, 2 P 1, 2 A 76, 1 A 20, 1 A 74, 3 A 43
  detection 3 P 19, 2 A 66, 2 P 34, 0 A 1, 2 A 41, 0 A 12, 3 P 54, 3 A 47
  counts 1 1 2 68 21 3
  found
  lasting 21
  seen 0 26

  end 113
  reference 0 7 14, 0 14 37, 0 35 50, 0 51 79, 0 80 104, 0 104 129, 1 6 26, 1 26 41, 1 53 68, 2 -2 0
  reference 2 0 27, 2 32 57
  detection 3 P 8, 1 A 42, 3 A 99, 3 P 83, 0 P 77, 1 P 4, 1 P 29, 3 P 28, 2 P 77, 0 A 110, 3 P 7
  counts 6 1 7 206 67 3
  found 0 0 0 1
  lasting 3
  seen 0 0 26

  end 61
  reference 0 1 8, 0 8 11, 0 11 23, 0 23 30, 0 31 58, 2 -4 24, 2 29 53, 2 51 80
  detection 0 A 40, 1 P 3, 1 P 21, 2 P 7, 1 A 49
  counts 3 0 4 112 49 1
  found 0 0
  lasting
  seen 0 7

  end 38
  reference 0 9 21, 0 26 27, 0 27 33, 0 34 58, 1 7 9, 1 21 29, 1 41 64, 2 11 30
  detection 2 P 17, 0 P 14, 2 P 27, 0 A 7, 0 P 11, 1 A 42, 3 A 7, 3 A 35, 2 P 25, 1 A 20, 2 P 28
  detection 3 A 38
  zone 32 37
  counts 4 0 5 48 30 0
  found 0 0
  lasting
  seen 0 2 6

  end 117
  reference 0 1 23, 0 24 25, 1 1 16, 1 16 29
  detection 1 A 99, 3 P 70, 2 P 87, 2 A 90, 3 P 106, 0 P 5, 0 A 90, 1 A 41, 2 P 85, 2 P 113, 2 P 70
  zone 27 32
  counts 2 0 3 49 19 3
  found 65
  lasting
  seen 0 4

  end 106
  reference 0 3 27, 0 25 37, 0 49 63
  detection 2 A 33, 3 A 46, 1 A 83, 3 P 53, 3 P 5, 1 A 61, 3 P 102, 3 P 25, 2 P 101, 3 A 59
  zone 96 105
  counts 2 0 2 48 0 2
  found 0 0
  lasting
  seen

  end 25
  reference 1 -4 6, 1 6 9, 1 10 12
  zone 0 12
  counts 0 0 0 0 0 0
  found
  lasting
  seen

  end 86
  reference 0 5 13, 0 13 21, 0 21 25, 0 26 35, 0 35 45
  detection 0 A 66, 2 A 13, 3 P 7, 3 A 36, 0 P 67, 3 A 40, 0 A 46, 2 P 32, 1 A 14, 3 P 9, 2 P 61
  detection 2 A 38
  zone 10 13
  counts 2 0 2 36 0 4
  found 0
  lasting
  seen

  end 54
  reference 0 4 32, 0 33 35, 0 33 60, 1 11 39, 1 39 52, 1 57 61
  detection 1 P 46, 3 P 37, 3 P 29, 0 P 19, 2 P 15, 2 A 56, 3 P 15, 2 A 21, 1 P 56, 3 A 48, 2 P 19
  detection 3 A 40, 1 P 9, 1 P 25, 3 P 22, 2 P 6, 0 P 5, 0 A 14, 3 A 12, 3 P 13, 3 P 18, 2 A 35
  detection 1 A 37, 3 A 18
  counts 2 2 3 90 75 4
  found
  lasting 5 9
  seen 0 0 1

  end 68
  reference 0 9 23, 0 21 31, 1 4 25
  detection 0 A 32, 2 A 33, 1 A 54, 0 P 19, 0 P 60, 3 A 37, 3 P 30, 2 P 56, 0 P 0, 1 P 5, 3 P 23
  detection 0 P 40, 1 A 66, 0 A 22
  zone 57 59, 66 80
  counts 2 1 2 43 33 4
  found 29
  lasting 9
  seen 0 1

  end 111
  reference 0 -4 18, 0 23 29, 0 29 53, 0 54 62, 0 67 91, 0 89 117, 1 12 36, 1 41 54, 1 59 87
  reference 1 92 109, 2 7 8
  zone 97 107, 78 90
  counts 7 0 9 142 0 0
  found 0 0 0 0 0 0 0
  lasting
  seen

  end 105
  reference 0 10 22
  detection 2 A 104, 2 P 97, 3 A 100, 3 A 50, 2 A 73, 3 A 59, 0 P 100, 0 A 103, 3 P 11, 2 P 67
  detection 2 P 78
  counts 1 0 1 12 0 4
  found 81
  lasting
  seen

  end 59
  reference 1 3 30, 1 30 33, 1 33 58, 1 58 86
  detection 2 A 26, 1 P 59, 1 A 11, 3 A 38, 1 A 42, 2 P 32, 0 P 50, 0 A 4, 3 A 21, 2 P 55, 3 A 59
  detection 3 P 22, 1 A 35, 1 A 0, 1 A 16
  counts 0 0 1 56 0 3
  found
  lasting
  seen

  end 57
  reference 0 14 27, 0 28 54, 0 55 59, 0 57 84, 1 -2 23, 1 21 46, 2 6 9, 2 9 25, 2 30 53, 2 51 60
  detection 1 A 16, 1 P 44, 3 P 43, 2 A 1, 3 A 5, 1 P 60, 2 A 23, 3 P 42, 3 A 55, 0 A 54
  zone 35 38
  counts 4 0 6 124 2 1
  found 0 0 0
  lasting
  seen 44

  end 74
  reference 1 -1 28, 1 40 43
  detection 0 A 51, 3 P 1, 2 P 64, 1 P 16, 2 A 53, 2 P 20, 1 A 54, 3 P 58, 3 A 75, 0 A 54, 1 A 17
  detection 3 A 46, 0 A 39, 2 A 3, 2 A 22, 0 P 17
  zone 69 73, 34 48
  counts 1 1 1 28 1 5
  found 0
  lasting 11
  seen 16

  end 86
  reference 0 3 12, 0 12 37, 0 42 56, 0 56 74, 0 72 73
  zone 31 32, -4 2
  counts 2 0 2 65 0 0
  found 0 0
  lasting
  seen

  end 116
  reference 0 8 13, 0 14 28, 0 40 48, 0 48 55, 0 67 82, 0 87 106, 0 111 132, 1 7 10, 1 15 44
  reference 1 49 58, 1 56 63, 1 75 80, 1 78 101, 1 106 122
  detection 0 A 9, 2 A 107, 3 A 32
  zone 49 50
  counts 9 0 10 153 0 0
  found 0 0 0 0 0 0 0 0 0
  lasting
  seen

  end 63
  reference 0 -3 24, 0 36 48, 0 60 67, 0 65 72, 1 -2 12, 2 4 14, 2 14 40, 2 41 63
  detection 0 P 48, 1 A 0, 2 A 22, 2 A 24, 2 P 23, 1 P 0, 2 P 33, 1 A 37, 2 P 13, 3 P 19
  counts 4 2 6 109 54 2
  found 0 25
  lasting 1 9
  seen 0 0 0 9

  end 25
  reference 0 9 37
  detection 1 A 13, 1 P 20, 2 A 12, 0 A 7, 3 P 17, 2 P 10, 1 P 18, 2 A 7, 2 A 5, 2 A 21, 0 P 28
  detection 2 A 6, 3 A 5, 2 A 23, 2 P 16, 2 P 10
  counts 0 0 1 16 0 4
  found
  lasting
  seen

  end 36
  detection 3 P 25, 1 P 33, 2 A 21, 3 A 8, 1 P 29, 3 P 18
  zone 11 15
  counts 0 0 0 0 0 2
  found
  lasting
  seen

  end 21
  reference 0 -1 2, 0 7 27, 0 25 30, 1 -1 20, 1 25 41
  zone 5 11
  counts 2 0 2 26 0 0
  found 0 0
  lasting
  seen

  end 83
  reference 0 12 37, 0 42 60, 1 6 31, 1 43 63, 1 64 67, 2 12 34, 2 34 36, 2 48 59, 2 71 86, 2 84 101
  detection 3 A 23, 3 P 64, 1 A 51, 2 A 68, 2 A 13
  counts 7 0 8 138 0 1
  found 0 0 0 0 0 0 0
  lasting
  seen

  end 100
  reference 0 -4 17, 0 29 52, 0 53 55, 0 60 75, 0 75 92, 0 90 118, 1 10 26, 1 31 43, 1 55 73
  reference 1 71 79, 1 77 78, 1 90 97, 1 98 108
  detection 0 A 91, 0 P 74
  counts 7 1 9 143 17 0
  found 0 0 0 0 0 0 0
  lasting 9
  seen 14

  end 106
  reference 0 8 13, 0 11 37, 1 -4 18, 1 16 37
  detection 1 P 53, 2 P 42, 0 P 109, 0 P 110, 1 P 33, 2 P 5, 0 P 30, 3 A 3, 1 A 75, 2 P 21, 1 P 13
  detection 0 P 40, 3 P 66, 1 A 34
  zone 29 42, 38 50
  counts 0 0 2 50 16 3
  found
  lasting
  seen 13 22

  end 103
  reference 0 11 37, 0 37 55, 0 55 75, 1 11 29
  detection 3 A 15
  zone 86 91
  counts 2 0 2 82 0 0
  found 0 0
  lasting
  seen

  end 117
  reference 0 9 10, 0 8 29, 0 41 47, 0 48 75, 0 75 96, 0 94 111, 1 -5 12
  detection 0 P 68, 0 A 88, 3 A 118, 0 A 108, 0 P 112, 1 A 55
  zone 108 117, 81 90
  counts 3 0 4 90 13 0
  found 0 0 0
  lasting
  seen 20

  end 48
  detection 0 P 30, 3 P 13, 3 A 42, 2 P 18, 2 P 39, 3 P 49, 0 A 11, 2 P 38, 2 A 16, 1 P 47, 1 P 24
  detection 2 P 49, 3 P 2, 3 A 10, 2 P 35, 2 P 23, 3 A 7
  zone 22 35, 47 55
  counts 0 0 0 0 0 3
  found
  lasting
  seen

  end 47
  reference 0 -4 8, 0 8 10, 0 8 29, 0 29 51, 1 5 16, 1 28 46, 1 46 53
  detection 0 P 14, 3 P 7
  counts 1 0 3 77 33 1
  found 0
  lasting
  seen 14

  end 66
  reference 0 9 25, 0 30 42, 0 43 56
  detection 2 A 37, 1 A 8, 1 A 11, 1 A 54, 1 A 62
  zone 37 48, 43 51
  counts 2 0 2 28 0 0
  found 0 0
  lasting
  seen

  end 34
  detection 0 P 18, 0 P 31, 0 P 35, 1 P 17, 0 A 26, 2 P 15, 1 A 8, 1 P 36, 1 A 33, 3 A 29, 3 P 14
  detection 2 A 9, 0 P 16, 3 A 27, 2 A 16, 0 A 29, 2 A 30, 0 A 1, 2 A 18
  counts 0 0 0 0 0 5
  found
  lasting
  seen

  end 65
  reference 0 -4 24, 0 29 57, 0 55 84, 1 3 5, 2 14 30, 2 28 29, 2 30 52, 2 50 57
  detection 0 P 62, 3 P 50, 2 P 44, 3 P 38, 1 A 3, 1 P 17
  zone 24 32, 7 10
  counts 2 0 3 91 16 2
  found
  lasting
  seen 30

  end 38
  reference 0 4 16, 0 14 25, 0 25 51
  detection 2 P 17, 0 P 5, 2 P 36, 2 A 19, 3 A 3, 2 A 5, 2 A 26, 2 P 10, 0 A 12
  zone 34 34, 33 34
  counts 0 1 1 33 7 2
  found
  lasting 26
  seen 1

  end 61
  reference 0 -3 11, 0 12 38, 0 50 52, 0 53 55, 0 60 63, 0 64 67, 0 65 91, 1 7 9, 1 7 16, 1 16 39
  reference 2 -1 4, 2 16 37, 2 35 50, 2 48 76
  detection 3 A 10, 1 A 39, 1 P 34, 1 A 48, 0 P 64, 2 A 22, 3 P 62, 3 P 44, 3 A 19, 3 P 54, 3 P 30
  detection 0 A 20, 1 P 53, 1 A 42, 3 A 35, 3 A 15, 0 A 36, 3 A 38, 0 P 34, 3 A 3, 2 P 48, 0 A 38
  zone 7 20
  counts 5 1 5 94 20 3
  found 0 0 0 0
  lasting 2
  seen

  end 46
  reference 0 -3 3, 0 1 24, 0 29 39, 0 44 68, 1 -3 13, 1 14 32, 1 37 44
  detection 2 A 26, 3 P 21, 0 A 12, 2 P 27, 0 A 18, 0 P 39, 3 P 16, 0 A 44, 0 P 34
  zone 18 29
  counts 4 1 5 57 5 1
  found 0 0 0
  lasting 2
  seen

  end 43
  reference 0 9 24, 1 -2 17, 1 15 42
  detection 0 P 32, 3 A 40
  zone 28 42
  counts 1 0 2 43 0 0
  found
  lasting
  seen

  end 85
  reference 0 5 31, 0 32 49, 1 0 27, 1 25 52, 1 50 74, 1 79 98, 2 -4 2, 2 0 15
  detection 3 A 36, 1 P 61, 3 P 74, 2 A 82, 3 A 32, 0 P 38, 3 P 0, 3 A 42, 0 A 33, 2 P 65, 0 A 33
  detection 2 P 68, 1 P 7, 3 A 68, 2 P 54, 0 A 62, 2 A 80
  zone 8 15
  counts 3 0 5 117 77 3
  found 0 13
  lasting
  seen 0 6 7

  end 108
  reference 0 7 32, 0 33 35, 0 40 61, 0 66 91, 0 103 127
  detection 3 A 30, 2 A 18, 0 P 40, 1 P 99, 1 A 61, 3 P 97, 2 A 12, 0 A 107, 1 P 103, 0 A 102
  detection 1 A 80, 3 A 38, 2 P 40, 2 A 8, 1 P 70, 3 A 65
  zone 91 99
  counts 3 0 5 78 46 2
  found 0 0
  lasting
  seen 0 0

  end 106
  reference 0 -4 2, 0 7 33
  detection 1 P 60, 2 A 22
  counts 2 0 2 28 0 1
  found 0 0
  lasting
  seen

  end 98
  reference 1 5 18, 1 16 37, 1 35 37, 1 38 44, 1 45 65, 1 77 91, 1 92 104, 2 2 9, 2 10 37, 2 49 72
  reference 2 72 74, 2 79 92
  detection 0 P 14
  zone 53 62
  counts 8 0 9 132 0 1
  found 0 0 0 0 0 0 0 0
  lasting
  seen

  end 28
  reference 0 -2 21, 0 22 45
  detection 3 P 14, 1 P 11, 1 P 6, 1 P 24, 3 A 31, 0 A 29, 3 P 6, 2 P 23, 2 A 4, 0 A 13, 1 A 32
  detection 1 A 1, 3 A 25, 2 P 5, 1 A 10, 3 A 30
  counts 1 0 2 27 0 4
  found 0
  lasting
  seen
  """
