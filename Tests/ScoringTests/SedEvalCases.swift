// Written by Tests/Fixtures/event_based_counts.py; do not edit.
let sedEvalCases = """
  window 17
  reference b19 b22 c36 a75 b128 c136 a178 b197 b235 a237
  detection a12 b35 b44 c64 c152 b177 b208 b231 b255
  class a 3 1 0
  class b 5 6 3
  class c 2 2 1
  all 10 9 4

  window 47
  reference a33 a33 a35 c46 b50 a52 a54 b58 a61 c72 b82 b82 c85
  detection c2 b2 b7 c13 c39 c54 c89 c96
  class a 6 0 0
  class b 4 2 1
  class c 3 6 3
  all 13 8 4

  window 32
  reference c14 b14 c27 a40 c49 a56 c66 a73 b75 c91 c93 b106
  detection c96
  class a 3 0 0
  class b 3 0 0
  class c 6 1 1
  all 12 1 1

  window 58
  reference a4 a34 b37 a40 c42 a49 a55 b55 c59 a59
  detection a1 b9 b36 a38
  class a 6 2 2
  class b 2 2 2
  class c 2 0 0
  all 10 4 4

  window 35
  reference b35 c61 b95 b216 a356 a415 b452 c478 b513
  detection a81 a208 b233 b258 a345 b401 c403 b512
  class a 2 3 1
  class b 5 4 2
  class c 2 1 0
  all 9 8 3

  window 37
  reference a65 b69 c127 c205 b437 b448 b464
  detection c15 c113 c115 a289 a315 b340 c349 c353 c377 b419
  class a 1 2 0
  class b 4 2 1
  class c 2 6 1
  all 7 10 2

  window 39
  reference c20 c25 c59 b80 a87 a115 b123 a129 b151 a152 b179 c205 c208
  detection c117 c139
  class a 4 0 0
  class b 4 0 0
  class c 5 2 0
  all 13 2 0

  window 18
  reference a1 c5 c18 b54 c77 c78 a86 b90
  detection c83
  class a 2 0 0
  class b 2 0 0
  class c 4 1 1
  all 8 1 1

  window 31
  reference b111 b177 b273
  detection b1 b26 b44 b104 a141 c188 a240 c280 c324 c326 c335
  class a 0 2 0
  class b 3 4 1
  class c 0 5 0
  all 3 11 1

  window 14
  reference c60 b77 a97 c182 b187 a198 c202 a231 c271 c300
  detection c37 c45 b71 b79 a144 b235 b268
  class a 3 1 0
  class b 2 4 1
  class c 5 2 0
  all 10 7 1

  window 46
  reference a207 b251
  detection b154 a178 a179 a241 b255 b257 b257 b264 a276 b283
  class a 1 4 1
  class b 1 6 1
  class c 0 0 0
  all 2 10 2

  window 13
  reference b31 a119 b194 a194 a224 a250 a287
  detection a30 b31 b49 c123 c203 a213 a257 b278
  class a 5 3 2
  class b 2 3 1
  class c 0 2 0
  all 7 8 3

  window 4
  reference a120 b192 b294 c332
  detection c120 a128 c167 b186 b230 a273 c283 c288 c294 a298 c309 c313 a379
  class a 1 4 0
  class b 2 2 0
  class c 1 7 0
  all 4 13 0

  window 24
  reference c9 b31 b39 c76 b80
  detection c1 a2 b4 b12 c14 a18 b20 b32 c41 c53 a71 b75 b100
  class a 0 3 0
  class b 3 6 3
  class c 2 4 2
  all 5 13 5

  window 41
  reference b37 b103 a111
  detection b35 c40 a49 c60 c60 c63 b73 a74 c90
  class a 1 2 1
  class b 2 2 2
  class c 0 5 0
  all 3 9 3

  window 7
  reference c8 b41 b58 a100 c118 a118 b157 b214 a250 c280 c314
  detection a164 b169 c275
  class a 3 1 0
  class b 4 1 0
  class c 4 1 1
  all 11 3 1

  window 39
  reference c2 a87 c117 b123 a128 b135
  detection b8 b37 a41 c42 a52 c79 b105 b109 a113 c129 c140 a167
  class a 2 4 2
  class b 2 4 2
  class c 2 4 1
  all 6 12 5

  window 59
  reference c42 b64 a105 a195 c375
  detection a30 c89 c288 a329 c371 b372 c432
  class a 2 2 0
  class b 1 1 0
  class c 2 4 2
  all 5 7 2

  window 31
  reference a22 b28 b34 b137 b161 c189 c320 b327 b344 b363 c396 b396
  detection a70 c336 a418
  class a 1 2 0
  class b 8 0 0
  class c 3 1 1
  all 12 3 1

  window 15
  reference c27 b31 a33 a49 a67 c108 c236 b259 b320 a397 c422 a441
  detection b142 c230 b230 a241 a387 c426
  class a 5 2 1
  class b 3 2 0
  class c 4 2 2
  all 12 6 3

  window 9
  reference b362
  detection c309 c399 a434
  class a 0 1 0
  class b 1 0 0
  class c 0 2 0
  all 1 3 0

  window 30
  reference a6 a32 c36 a75 b85 a109 b134 c136 b155 a166 b203
  detection b25 c47 a53 a66 a138 c170 c178 b211
  class a 5 3 3
  class b 4 2 1
  class c 2 3 1
  all 11 8 5

  window 39
  reference b10 a21 b39 c41 c43 a123
  detection c49 c117
  class a 2 0 0
  class b 2 0 0
  class c 2 2 1
  all 6 2 1

  window 44
  reference b7 c30 a74 c88 c184 b212 b265 c285 a407 a490 b519
  detection b381 c397 a489
  class a 3 1 1
  class b 4 1 0
  class c 4 1 0
  all 11 3 1

  window 14
  reference a53 b76 c93 a184 a260 a276 c326 c426 b428 b454 a457 b519 c522
  detection b127
  class a 5 0 0
  class b 4 1 0
  class c 4 0 0
  all 13 1 0

  window 32
  reference a87 c126
  detection b12 a107 c141 a153 b256 a292 a303 c310 a313
  class a 1 5 1
  class b 0 2 0
  class c 1 2 1
  all 2 9 2

  window 38
  reference a35 b59 b59 c65 a85 a132 c144 b157
  detection c20 b29 a65 c92 a122 a136 c147
  class a 3 3 3
  class b 3 1 1
  class c 2 3 2
  all 8 7 6

  window 58
  reference a77 a123 a175 a195
  detection a10 b24 a50 a60 c77 a81 a95 b106 a106 b136 b160 c178 c197
  class a 4 6 2
  class b 0 4 0
  class c 0 3 0
  all 4 13 2

  window 53
  reference b7 c13 a42 c126 c145 b327
  detection c50 a120 a161 b176 b225 c253 c343 a355
  class a 1 3 0
  class b 2 2 0
  class c 3 3 1
  all 6 8 1

  window 24
  reference a69 b70 c95 b189 c202 b217 b222 c267 a272 b331 b381 b487
  detection b331 b376
  class a 2 0 0
  class b 7 2 2
  class c 3 0 0
  all 12 2 2

  window 20
  reference b27 c27 a63 a65 b89 c105
  detection b0 b4 b17 c19 b25 a32 c43 c57 c85 c89 a99 b108 a124
  class a 2 3 0
  class b 2 5 2
  class c 2 5 2
  all 6 13 4

  window 46
  reference b27 a42 a44 b92 a98 c102 c138 c144
  detection b1 a105
  class a 3 1 1
  class b 2 1 1
  class c 3 0 0
  all 8 2 2

  window 14
  reference b46 c65 c93 b153 b195 a345 b348 c362 c388
  detection c44 b285 b294 c362
  class a 1 0 0
  class b 4 2 0
  class c 4 2 1
  all 9 4 1

  window 30
  reference a85
  detection c12 b25 c31 b70 a119 b164 b189 b230 c264 c269 c280 a289
  class a 1 2 0
  class b 0 5 0
  class c 0 5 0
  all 1 12 0

  window 24
  reference b92 a272 b340 b344 a369
  detection c54 c77 c254 b285 b304
  class a 2 0 0
  class b 3 2 0
  class c 0 3 0
  all 5 5 0

  window 23
  reference c98 c105 a126 c166 a222 c262 a371
  detection a55 a56 a219 c232 c287 a307 c313
  class a 3 4 1
  class b 0 0 0
  class c 4 3 0
  all 7 7 1

  window 45
  reference a0 b5 b11 a16 b22 b33 c41 c62 b63 b70 a87
  detection c29 c42
  class a 3 0 0
  class b 6 0 0
  class c 2 2 2
  all 11 2 2

  window 40
  reference b0 c1 a21 c43 c50 c52 c70 b73 b81 a88 c105 b117 b130
  detection b41 a50 a64 a64 c79 c148
  class a 2 3 2
  class b 5 1 1
  class c 6 2 1
  all 13 6 4

  window 22
  reference c4 b6 c66 b172 a193 a219 b324 c433
  detection c15 b55 a57 a96 a177 b225 a294 a345 b360 a482
  class a 2 6 1
  class b 3 3 0
  class c 3 1 1
  all 8 10 2

  window 30
  reference b57 b75 a115 c221 b323 c346 a365 b440 b475 c477 a481 c501
  detection a5 c388
  class a 3 1 0
  class b 5 0 0
  class c 4 1 0
  all 12 2 0

  window 50
  reference a14 a36 b66 b69 c102 c107 c109 a113 b163
  detection c5 c12 a15 b19 b40 c48 c51 b78 b95 c98 c123 c136 b147
  class a 3 1 1
  class b 3 5 3
  class c 3 7 3
  all 9 13 7

  window 44
  reference c72 a107 a219 c339 a343 c348 b513 a567
  detection c61 b215 a244 c282 a318 a326 b354 c409 c413 b417 c435 b446 a464
  class a 4 4 2
  class b 1 4 0
  class c 3 5 1
  all 8 13 3

  window 25
  reference b28 c58 b66 b104 c137 c138 a211 b218
  detection c44
  class a 1 0 0
  class b 4 0 0
  class c 3 1 1
  all 8 1 1

  window 43
  reference b233 b237 c289 c290 b361 c411
  detection a175 a265 b303 c464 b468 a477 b484
  class a 0 3 0
  class b 3 3 0
  class c 3 1 0
  all 6 7 0

  window 54
  reference a37 a41 a48 c102 a133 c187 a232
  detection b47 a61 a104 a105 c135 c159 c175 b212
  class a 5 3 2
  class b 0 2 0
  class c 2 3 2
  all 7 8 4

  window 18
  reference c14 a59 b133 a246 c246 c283 b352 a433 c446 c478
  detection b300 c399 c406
  class a 3 0 0
  class b 2 1 0
  class c 5 2 0
  all 10 3 0

  window 19
  reference c1 b27 b32 a32 c41 a45 c50
  detection c0 a27
  class a 2 1 1
  class b 2 0 0
  class c 3 1 1
  all 7 2 2

  window 40
  reference b1 b27 c38 a45 b48 b71 a98 b125 a156 c183 c203 a259
  detection a2 a120 a209 a215 b251
  class a 4 4 1
  class b 5 1 0
  class c 3 0 0
  all 12 5 1

  window 41
  reference a20 b23 a83 b139 c156 a168
  detection a74 a80 a136 a176 c198 c199 b199 b210
  class a 3 4 2
  class b 2 2 0
  class c 1 2 0
  all 6 8 2

  window 45
  reference c79 a103 b132 c214 c271 b354 a394 b440 b467 b486
  detection a36 a71 a83 b124 c138 a145 b192 c201 a231 c451 a453
  class a 2 6 1
  class b 5 2 1
  class c 3 3 1
  all 10 11 3

  window 47
  reference c78 b79 b123 b141 a188 a191 a236 b266 c279 b299 a324 a413 a451
  detection b24 c106 a180 b190 a207 c286 b287 a288 a392 b404 c451 b475
  class a 6 4 4
  class b 5 5 1
  class c 2 3 2
  all 13 12 7

  window 44
  reference b16 a17 a77 a87 a132 c268 a277 c287 c330 a338 c358 a364 c368
  detection c46 c252 c264
  class a 7 0 0
  class b 1 0 0
  class c 5 3 2
  all 13 3 2

  window 34
  reference c55 a198 a206
  detection b262 b305
  class a 2 0 0
  class b 0 2 0
  class c 1 0 0
  all 3 2 0

  window 25
  reference b15 c64
  detection c4 a27 a53 c67 c68
  class a 0 2 0
  class b 1 0 0
  class c 1 3 1
  all 2 5 1

  window 26
  reference b19 b112
  detection a48 a77 a81 b101 a125 b131 b142 b147 a163
  class a 0 5 0
  class b 2 4 1
  class c 0 0 0
  all 2 9 1

  window 26
  reference a165 c310 c376
  detection b229
  class a 1 0 0
  class b 0 1 0
  class c 2 0 0
  all 3 1 0

  window 50
  reference a81 a89 c230
  detection a4 a23 b26 b26 a26 a107 b111 b124 b144 a161 c246 b271
  class a 2 5 1
  class b 0 6 0
  class c 1 1 1
  all 3 12 2

  window 47
  reference c1 a15 c124 b145
  detection c50 a55 c56 c118 a143 a221 b277 c281 a294
  class a 1 4 1
  class b 1 1 0
  class c 2 4 1
  all 4 9 2

  window 19
  reference c68 c83
  detection c25 a40 c43 a66 b75 b86 b118
  class a 0 2 0
  class b 0 3 0
  class c 2 2 0
  all 2 7 0

  window 4
  reference a14 a16 a35 b42 b42 c60 c67 b72 a94 b94 b170
  detection a19 c25 c68 b87 a108 b118 c149 a150 a153 b168 c169 b170
  class a 4 4 1
  class b 5 4 1
  class c 2 4 1
  all 11 12 3

  window 25
  reference a22 a110 b120 c142 c247 b280
  detection a158
  class a 2 1 0
  class b 2 0 0
  class c 2 0 0
  all 6 1 0

  window 29
  reference c38 a46 c101 c252 c331 a371 c397 b466 b472 b494
  detection a96 a151 a473 b483
  class a 2 3 0
  class b 3 1 1
  class c 5 0 0
  all 10 4 1

  window 53
  reference c8 b9 c15 a22 a24
  detection a1 c6 a9 c17 b19 a20 b21 c24 b29
  class a 2 3 2
  class b 1 3 1
  class c 2 3 2
  all 5 9 5

  window 7
  reference b14 b61 b131 b144 a145 c159 c166 c183 a187 b196 c275 b283 b299
  detection a3 a61 b232 b262 a291 b305
  class a 2 3 0
  class b 7 3 1
  class c 4 0 0
  all 13 6 1

  window 27
  reference c118 a311
  detection b215 a314 c323
  class a 1 1 1
  class b 0 1 0
  class c 1 1 0
  all 2 3 1

  window 45
  reference c80 a115 b129 a130 a137 a137 c154 b159 c202
  detection b12 c35 c42 b61 c99 a107 b126 b155 a186 a187 a196 c207 c229
  class a 4 4 1
  class b 2 4 2
  class c 3 5 2
  all 9 13 5

  window 3
  reference b42 b53 b187 c223 b231 a331 a348 b412
  detection c15 c103 a192 a226 a242 c277 c291
  class a 2 3 0
  class b 5 0 0
  class c 1 4 0
  all 8 7 0

  window 25
  reference c7 b12 c20 c28
  detection a8 b12 b19 b21 a25 b27
  class a 0 2 0
  class b 1 4 1
  class c 3 0 0
  all 4 6 1

  window 54
  reference b20
  detection a36 c69 a94 a104 b137 a141 b160 c194 a226 c277 c311 b340
  class a 0 5 0
  class b 1 3 0
  class c 0 4 0
  all 1 12 0

  window 59
  reference c81 a133 a155 c198 c215 a230 c233 b240 b309 c331
  detection b84 a125 b175 a221 b222 c328
  class a 3 2 2
  class b 2 3 1
  class c 5 1 1
  all 10 6 4

  window 38
  reference b57 b67 b89 c109 c143 b144 a146 a147 c162 c230
  detection b2 b31 c41 c61 b75 c86 b151 c160 c202
  class a 2 0 0
  class b 4 4 3
  class c 4 5 3
  all 10 9 6

  window 57
  reference a6 c7 c8 c80 c102 c111 a137 c138
  detection c41 c45 c73 a76 a79 c96 a97 a119 a125 c141
  class a 2 5 1
  class b 0 0 0
  class c 6 5 5
  all 8 10 6

  window 32
  reference b53
  detection b6 a7 c17 a52 a55 c82 c95 c119 c137
  class a 0 3 0
  class b 1 1 0
  class c 0 5 0
  all 1 9 0

  window 39
  reference a2 c9 a10 b13 a19 b20 a29 b48 a50 a53 b64 a91 c101
  detection b5 b28 c77 c83 b91 c101
  class a 7 0 0
  class b 4 3 3
  class c 2 3 1
  all 13 6 4

  window 2
  reference b46 a73 c96 a119 b142 a191 c238 b274 b320 a327 b338 b340 c356
  detection a29 c97
  class a 4 1 0
  class b 6 0 0
  class c 3 1 1
  all 13 2 1

  window 10
  reference b28 b33 a36 a41 c106 c119 b122 c141 c150 a165 b179
  detection a74 a85 a101 a113 a124 a129 c145 c152 b157
  class a 3 6 0
  class b 4 1 0
  class c 4 2 2
  all 11 9 2

  window 34
  reference c66 b136 c199 a236 b280 c309 a371
  detection c43 b86 a171
  class a 2 1 0
  class b 2 1 0
  class c 3 1 1
  all 7 3 1

  window 31
  reference b35 c37 b51 a76 a84 b155 b160 b229 c236
  detection b140 b150
  class a 2 0 0
  class b 5 2 2
  class c 2 0 0
  all 9 2 2

  window 27
  reference b52 a85 b93 a123 a216 b257
  detection c0 a8 c61 b65 b97 b138 c167 b180 a240 b245 b254 a275 c281
  class a 3 3 1
  class b 3 6 3
  class c 0 4 0
  all 6 13 4

  window 32
  reference c75 b208 a422
  detection b252 a295 b420 a461
  class a 1 2 0
  class b 1 2 0
  class c 1 0 0
  all 3 4 0

  window 10
  reference c9 c34 a55 a76 c78 b121 a125 b132 b137 a147
  detection c7 a152
  class a 4 1 1
  class b 3 0 0
  class c 3 1 1
  all 10 2 2

  window 48
  reference a26 c26 a98 a102
  detection b2 c44 b45 a57 a82 b110 c134 b144
  class a 3 2 2
  class b 0 4 0
  class c 1 2 1
  all 4 8 3

  window 12
  reference a1 a1 c2 c6 c12 b16 a16 b17 a19 b19
  detection a3 b5 c8 b9 b10 b14 b15 b17 b17 a18
  class a 4 2 2
  class b 3 7 3
  class c 3 1 1
  all 10 10 6

  window 24
  reference c41 b148 b462
  detection c5 a35 a45 a94 c122 b135 a190 a252 c299 c389 a429 a478
  class a 0 7 0
  class b 2 1 1
  class c 1 4 0
  all 3 12 1

  window 27
  reference c16 a35 b55 c85 c149
  detection c6 c23 b24 c24 b40 a68 b107 b109 c132 a148 a150
  class a 1 3 0
  class b 1 4 1
  class c 3 4 2
  all 5 11 3

  window 45
  reference c36 b66 a156 a234 c436 c447
  detection c80 c103 a109 c166 b201 b264 a272 b477
  class a 2 2 1
  class b 1 3 0
  class c 3 3 1
  all 6 8 2

  window 30
  reference c58 c78 a135 a159 a164 b221 c228 a280 b341 a417 a527
  detection b6 a20 a365 b477 a541
  class a 6 3 1
  class b 2 2 0
  class c 3 0 0
  all 11 5 1

  window 8
  reference b8 c76 c82 b85 b118 a136 b178 b193 c234 c235 a249 b254
  detection c3 c70 c116 c149
  class a 2 0 0
  class b 6 0 0
  class c 4 4 1
  all 12 4 1

  window 24
  reference c108 a190 b196 c201 c245
  detection c71 a85 a94 c202 b225
  class a 1 2 0
  class b 1 1 0
  class c 3 2 1
  all 5 5 1

  window 21
  reference a16 b28 b87 b94 a95 a117 c140 a146 b146
  detection a0 a34 a61 a77 b78 a81 b118 b149 c162 c166 a168 b185
  class a 4 6 2
  class b 4 4 2
  class c 1 2 0
  all 9 12 4

  window 52
  reference b54 b210 a217 b263 a332 c381
  detection a2 b5 c24 a80 c82 b134 b145 c147 a155 c167 b203 a308 a410
  class a 2 5 1
  class b 3 4 2
  class c 1 4 0
  all 6 13 3

  window 49
  reference b67 c81 c88 a91 c105 b174 a181 b194 a228
  detection a30 a52 b65 c71 c78 c127 c172 a176 c178 a187 b201 c227
  class a 3 4 3
  class b 3 2 2
  class c 3 6 3
  all 9 12 8

  window 1
  reference c73 b166 b427 a431
  detection b78 c79 b101 b182 a249 b392
  class a 1 1 0
  class b 2 4 0
  class c 1 1 0
  all 4 6 0

  window 9
  reference b34 b92 b127 c133 b186 c234 a253 c309 b337 c369 a414 a461 b529
  detection c13 c16 a163 a215 b228 b334 c381 c383 c477
  class a 3 2 0
  class b 6 2 1
  class c 4 5 0
  all 13 9 1

  window 5
  reference c17 c78 b175 b255 b321
  detection b16 a43 b79 a115 b133 c167 b201 a219 b246 c268 c357
  class a 0 3 0
  class b 3 5 0
  class c 2 3 0
  all 5 11 0

  window 29
  reference a6 c35 b119 c162 c184 a288 a369 a406 b483 b566
  detection b532 b579
  class a 4 0 0
  class b 3 2 1
  class c 3 0 0
  all 10 2 1

  window 56
  reference a10 b41 c100 b175 c225 c240 a249 c272 b386 a393 a439
  detection c14 b59 b194 c217 a249 b254 a309 b310 a313 a386 a419
  class a 4 5 3
  class b 3 4 2
  class c 4 2 1
  all 11 11 6

  window 19
  reference b38 b96 c100 c123 b142 c160 b214 a293 c325
  detection b43 c69 b108 b129 b142 c188 c213 c234 a270 c280 b337
  class a 1 1 0
  class b 4 5 3
  class c 4 5 0
  all 9 11 3

  window 33
  reference c166 c367
  detection b4 a16 c67 b96 c175 a223 c223 a369 c396
  class a 0 3 0
  class b 0 2 0
  class c 2 4 2
  all 2 9 2

  window 50
  reference c3 c29 b50 b77 b113 b119 a146
  detection c3 a41 c100 b110 c152 a157
  class a 1 2 1
  class b 4 1 1
  class c 2 3 1
  all 7 6 3

  window 34
  reference b213 b225 c308 c344 c381 c394
  detection b236 a298 a362
  class a 0 2 0
  class b 2 1 1
  class c 4 0 0
  all 6 3 1

  window 58
  reference c36 c37 a76 a87 a108 b125 c150 a181 c194 c200 a202 b208 b231
  detection c22 b26 a44 c69 b146 b163
  class a 5 1 1
  class b 3 3 2
  class c 5 2 2
  all 13 6 5

  window 43
  reference c25 c143 c145
  detection c34 c42 a44 c57 a73 c78 b83 c85 b88 b97 a124 b140 a142
  class a 0 4 0
  class b 0 4 0
  class c 3 5 1
  all 3 13 1

  window 18
  reference b47 c98 b112 a174 b192 c284 c332 b373 c401 c415
  detection b58 a62 c66 c131 a203 b243 b340 b340 b341
  class a 1 2 0
  class b 4 5 1
  class c 5 2 0
  all 10 9 1

  window 49
  reference b52 c56 b65 b114 b131 a162
  detection a7 c42 a47 a69 b79 c83 a92 c118 c128 a141 a145 b148
  class a 1 6 1
  class b 4 2 2
  class c 1 4 1
  all 6 12 4

  window 35
  reference a120 b128 b213 a236 a354 b500 b509
  detection c76 c105 a166 b173 b192 c249 c301 a330 a345 a350 c379 c446
  class a 3 4 1
  class b 4 2 1
  class c 0 6 0
  all 7 12 2

  window 48
  reference c1 b41 a82 a153
  detection a1 c26 b29 b32 a36 a78 a145 c152 b170 b198
  class a 2 4 2
  class b 1 4 1
  class c 1 2 1
  all 4 10 4

  window 29
  reference a8 a20 c42 a55 c59 a63 c89 b97 c105 b106 a108
  detection c43 b48 c58 b62 c74 a80 c80 b82 c105 a106
  class a 5 2 2
  class b 2 3 1
  class c 4 5 4
  all 11 10 7

  window 52
  reference c65 b178 c199 a306 b330 c336
  detection b162 a186 c209 b209 c303
  class a 1 1 0
  class b 2 2 1
  class c 3 2 2
  all 6 5 3

  window 47
  reference c26 b37 b47 b48 a61 c96 b100
  detection b12 a25 a38 b39 c70 c90 a92 b96 a98 a100 a107 a108
  class a 1 7 1
  class b 4 3 3
  class c 2 2 2
  all 7 12 6

  window 38
  reference a57 b299
  detection b21 b66 c127 a132 b145 c162 c163 c187 a200
  class a 1 2 0
  class b 1 3 0
  class c 0 4 0
  all 2 9 0

  window 32
  reference c121 a155 a179 b188 a306 a333 a440 b466 b482
  detection b512
  class a 5 0 0
  class b 3 1 1
  class c 1 0 0
  all 9 1 1

  window 33
  reference c13 c14 a46 b54 a103 c104 a147 c243 c245
  detection c149
  class a 3 0 0
  class b 1 0 0
  class c 5 1 0
  all 9 1 0

  window 31
  reference c115 b221 c259 c285 b362
  detection b301
  class a 0 0 0
  class b 2 1 0
  class c 3 0 0
  all 5 1 0

  window 33
  reference c97 a105 c171 b210 a237
  detection b15 c37 a131 a147 a185 c195 c202 b333
  class a 2 3 1
  class b 1 2 0
  class c 2 3 1
  all 5 8 2

  window 4
  reference b36 b93 a93 c115 c118 b120
  detection a91
  class a 1 1 1
  class b 3 0 0
  class c 2 0 0
  all 6 1 1

  window 31
  reference a9 a248 c348 b427
  detection a78 b111 b151 b186 b273 b361 c369 a399 c429 c469 c496
  class a 2 2 0
  class b 1 5 0
  class c 1 4 1
  all 4 11 1

  window 49
  reference c102 c406 b421 a499 c508
  detection c264
  class a 1 0 0
  class b 1 0 0
  class c 3 1 0
  all 5 1 0

  window 4
  reference c45 b80 b95 b125 b147 b164 b170 a187
  detection c57 c133 a162
  class a 1 1 0
  class b 6 0 0
  class c 1 2 0
  all 8 3 0

  window 59
  reference c77 b99
  detection b56
  class a 0 0 0
  class b 1 1 1
  class c 1 0 0
  all 2 1 1

  window 13
  reference c45 a96 c130 c141 a148 a182 c235 c274
  detection c52 b56 a124 a136 c258 c317
  class a 3 2 1
  class b 0 1 0
  class c 5 3 1
  all 8 6 2

  window 10
  reference a149 b179 b199 b226 c283 a403 a431 b471
  detection c90 b108 a164 b195 b263 b368 b412 a425
  class a 3 2 1
  class b 4 5 1
  class c 1 1 0
  all 8 8 2

  window 41
  reference b7 c15 a24 a25 c40 b46 b62
  detection c2 c6 b12 c22 a47 c53 b64 c66 c66 a70 b72 c75
  class a 2 2 1
  class b 3 3 3
  class c 2 7 2
  all 7 12 6

  window 12
  reference c31 a74 c82 b121 b154 a219 c341 b408 b449
  detection a17 a85 c183 c214 a262 a390
  class a 2 4 1
  class b 4 0 0
  class c 3 2 0
  all 9 6 1

  window 55
  reference b21 a65 c91 b124
  detection b6 b67
  class a 1 0 0
  class b 2 2 1
  class c 1 0 0
  all 4 2 1

  window 4
  reference c0 b1 a23 c137 c163 c172 a233
  detection a59 b70 c72 b137 b162 c176 a216 b234
  class a 2 2 0
  class b 1 4 0
  class c 4 2 1
  all 7 8 1

  window 52
  reference a79 a97 c110 b137 c271 b277 b329 c332
  detection a24 b61 c80 b89 a131 c137 a166 a243 b263 c286 a298 a352 c354
  class a 2 6 1
  class b 3 3 2
  class c 3 4 3
  all 8 13 6

  window 43
  reference c16
  detection c131 a161 c163 c222 c297 c363 b413 b419
  class a 0 1 0
  class b 0 2 0
  class c 1 5 0
  all 1 8 0

  window 36
  reference a23 c39 b40 b108 a115 a164 b209 b228 b242 b254 c290 b296 b350
  detection c12 c139 c145 b201 a291 c315 c316 a356
  class a 3 2 0
  class b 8 1 1
  class c 2 5 2
  all 13 8 3

  window 43
  reference c5 b112 c135
  detection c37 b100 a147 c193 b209 c324 b325 a327
  class a 0 2 0
  class b 1 3 1
  class c 2 3 1
  all 3 8 2

  window 58
  reference b134 c143 c264 a285 c388 a410 a434 b490
  detection c47 b277 a332 b369 b480 a531
  class a 3 2 1
  class b 2 3 1
  class c 3 1 0
  all 8 6 2

  window 51
  reference b170 a284 c286 c310 c312
  detection c46 a125 c206 b228 a232 c260
  class a 1 2 0
  class b 1 1 0
  class c 3 3 1
  all 5 6 1

  window 33
  reference a4 a13 a79 a145 a168 c169 b229 b264 b264
  detection a18 a119
  class a 5 2 2
  class b 3 0 0
  class c 1 0 0
  all 9 2 2

  window 39
  reference a7 c137 a203 c321 c378 c505
  detection c56 a93 a126 a271 c320 b431 a507
  class a 2 4 0
  class b 0 1 0
  class c 4 2 1
  all 6 7 1

  window 46
  reference a8 b19 b20 b37 b38 c57 c59 c62 a101
  detection a70
  class a 2 1 1
  class b 4 0 0
  class c 3 0 0
  all 9 1 1

  window 29
  reference b4 b32 c52 b98 a257 a348 a354 a357 b370 c427 a471 c484
  detection a32 b82 a115 c135 a252 c267 b276 a358 a361 c439 b496
  class a 5 5 3
  class b 4 3 1
  class c 3 3 1
  all 12 11 5

  window 9
  reference c46 b72 b89
  detection b18 c56 a63 b66 c119
  class a 0 1 0
  class b 2 2 1
  class c 1 2 0
  all 3 5 1

  window 38
  reference c84
  detection c44 a81
  class a 0 1 0
  class b 0 0 0
  class c 1 1 0
  all 1 2 0

  window 22
  reference a26 b86 b164 a200 a209 a355 a503 a516 b539 c554
  detection b84 b168 c518
  class a 6 0 0
  class b 3 2 2
  class c 1 1 0
  all 10 3 2

  window 41
  reference a6 b16 c58 a63 c73 c144 b175 c177
  detection a43 b76 a124 a127 b130 a192 b245 b258 c270 c280 c325 a340
  class a 2 5 1
  class b 2 4 0
  class c 4 3 0
  all 8 12 1

  window 43
  reference c41 a117 a208 a230 b251 b265
  detection c6 c51 b84 a89 c281
  class a 3 1 1
  class b 2 1 0
  class c 1 3 1
  all 6 5 2

  window 51
  reference a14 c44 c65 b71 c137 a162 c181
  detection a4 a12 c26 b34 a59 a78 b87 c92 a99 a145 b179 a184
  class a 2 7 2
  class b 1 3 1
  class c 4 2 2
  all 7 12 5

  window 24
  reference c3 c124 b229 a262
  detection b48 c66 c170
  class a 1 0 0
  class b 1 1 0
  class c 2 2 0
  all 4 3 0

  window 53
  reference c28 b35 b49 c56 a68 a100 b146 c167 b212 b244
  detection c18 a28 a96 a100 c132 a142 a162 c181 a198 a232
  class a 2 7 2
  class b 5 0 0
  class c 3 3 2
  all 10 10 4

  window 12
  reference b86 c103 a109 b142 a145 b280 a364
  detection a44 c85 c88 c101 b146 b163 b164 b186 b246 c281 c364
  class a 3 1 0
  class b 3 5 1
  class c 1 5 1
  all 7 11 2

  window 39
  reference a21 c46 b58 b59 c65
  detection b15 c25 c25 b31 b42 b42 c55 c57 b62 c65
  class a 1 0 0
  class b 2 5 2
  class c 2 5 2
  all 5 10 4

  window 49
  reference a65 b68 c73 a74 a84 b116 a144 c162 a184
  detection b119 a152
  class a 5 1 1
  class b 2 1 1
  class c 2 0 0
  all 9 2 2

  window 59
  reference b32 c77 b80 b94 c124 a143 c180 c214 a279
  detection b146 b252 c287
  class a 2 0 0
  class b 3 2 1
  class c 4 1 0
  all 9 3 1

  window 1
  reference c39 b94 c103 a105 c156 b173 a270 b271 a299 c362 c367 c406
  detection b9 c27 a133 a137 c204 b223 b260 b301 a334 c344 c410 a450
  class a 3 4 0
  class b 3 4 0
  class c 6 4 0
  all 12 12 0

  window 29
  reference c84 a104 c105 c121 b199 c213 c280 a362 b432 b503
  detection a42 a454
  class a 2 2 0
  class b 3 0 0
  class c 5 0 0
  all 10 2 0

  window 6
  reference c5 a40 c57 b62 c83 c84 a339 c346 a358 b453 b488 b508 b546
  detection c42 a111 c193 a245 b248 a357 b406 c409
  class a 3 3 1
  class b 5 2 0
  class c 5 3 0
  all 13 8 1

  window 18
  reference a132 a155
  detection b139 a150 a154 a170 b197 a197 b199
  class a 2 4 2
  class b 0 3 0
  class c 0 0 0
  all 2 7 2

  window 7
  reference a10 c15 a16 b24 a28
  detection c3 b5 a5 a8 a13 a14 b20 c21 c25 b29 b31 c31
  class a 3 4 2
  class b 1 4 1
  class c 1 4 1
  all 5 12 4

  window 26
  reference b120 c152 c176 b270
  detection b2 a15 a15 b150 b289 b344 a389 a416
  class a 0 4 0
  class b 2 4 1
  class c 2 0 0
  all 4 8 1

  window 51
  reference a1 c12 c15 c24 b31 a33 c39 c49
  detection c7 b17 a19 b19 b22 b23 a36 b45 c54 c62 c62
  class a 2 2 2
  class b 1 5 1
  class c 5 4 4
  all 8 11 7

  window 40
  reference a12 a15 a17 b43 c52 c59 c65 a74 a91 a146 c172 c190 b196
  detection c107 b114 c132
  class a 6 0 0
  class b 2 1 0
  class c 5 2 1
  all 13 3 1

  window 23
  reference c208 a231 b255 c286 c337 b340
  detection b26 b44 c86
  class a 1 0 0
  class b 2 2 0
  class c 3 1 0
  all 6 3 0

  window 53
  reference a1 c2 a2 b4 c5 b9 a11 c11 b13 b19 a20
  detection a3 c4 b12 a13
  class a 4 2 2
  class b 4 1 1
  class c 3 1 1
  all 11 4 4

  window 52
  reference c193 a202 b218
  detection b0 a13 a103
  class a 1 2 0
  class b 1 1 0
  class c 1 0 0
  all 3 3 0

  window 52
  reference a36 c56 a68 c132 b136 c178 a271 c297 b330 b346 b374
  detection c80 c168 c206 c238 a296 a318
  class a 3 2 1
  class b 4 0 0
  class c 4 4 3
  all 11 6 4

  window 37
  reference b58 a150 b153
  detection b5 b31 b54 a69 b83 c119 c147 a151 c160
  class a 1 2 1
  class b 2 4 1
  class c 0 3 0
  all 3 9 2

  window 33
  reference c37 c99 c143 b147 a188
  detection b55 a164 b195 a224
  class a 1 2 1
  class b 1 2 0
  class c 3 0 0
  all 5 4 1

  window 23
  reference a52 b54 a71 c108 b110 a117 a179 c209
  detection c198 c244 b277
  class a 4 0 0
  class b 2 1 0
  class c 2 2 1
  all 8 3 1

  window 13
  reference c8 b361
  detection b81 c225 b251 b362
  class a 0 0 0
  class b 1 3 1
  class c 1 1 0
  all 2 4 1

  window 56
  reference a238 a341 b421 c461
  detection b4 a30 c51 c86 c110 c133 b226 a282 b293 c326 b381 c463
  class a 2 2 1
  class b 1 4 1
  class c 1 6 1
  all 4 12 3

  window 48
  reference b106 a241 b299
  detection a34 b43 b61 c140 a182 b209 b212 b212 a243 b256 b274 a315
  class a 1 4 1
  class b 2 7 2
  class c 0 1 0
  all 3 12 3

  window 43
  reference c19 a55 a58 a78 c99 b101 c114 b153 c162 b162 a178 b237 c243
  detection c69 a94 a146 a190 b248
  class a 4 3 2
  class b 4 1 1
  class c 5 1 1
  all 13 5 4

  window 36
  reference c11 a99
  detection a35 c53 a103 c112 a138
  class a 1 3 1
  class b 0 0 0
  class c 1 2 0
  all 2 5 1

  window 55
  reference a4 b4 c5 a8 b8 c9 c11 a13 c19 b21 c23 a24 b28
  detection b3 b7 a14
  class a 4 1 1
  class b 4 2 2
  class c 5 0 0
  all 13 3 3

  window 44
  reference c8 a108 a130 b130 b176 c191
  detection c56 b58 a92 b93 b98 b103 a140 b144 c147 a169 a169
  class a 2 4 2
  class b 2 5 2
  class c 2 2 1
  all 6 11 5

  window 35
  reference b28 c65 c80 c155 a177
  detection c9 a135 b173
  class a 1 1 0
  class b 1 1 0
  class c 3 1 0
  all 5 3 0

  window 44
  reference c107 b209 b226 a255 b267
  detection c177 a300
  class a 1 1 0
  class b 3 0 0
  class c 1 1 0
  all 5 2 0

  window 42
  reference c2 a19 a21 a23 a88 b140 b195 a228 b248 b268 a407 a439 c456
  detection b190 a192 a198 a321 c408 c417
  class a 7 3 1
  class b 4 1 1
  class c 2 2 1
  all 13 6 3

  window 37
  reference a25 b67 c73 a126 a136 b343
  detection b90 a95 a100 c126 a143 a154 a190 a237 a260 c305
  class a 3 7 2
  class b 2 1 1
  class c 1 2 0
  all 6 10 3

  window 57
  reference b123
  detection a214 c276 a341 a375
  class a 0 3 0
  class b 1 0 0
  class c 0 1 0
  all 1 4 0

  window 23
  reference c160 a200 c233
  detection b118 c121 b125 b155 a166 b201 c293 a369 a371 a375 a432
  class a 1 5 0
  class b 0 4 0
  class c 2 2 0
  all 3 11 0

  window 8
  reference b56 a68 a82 b125 a206 b224 a252 a255 c352 a384
  detection b9 a46 c132 a132 a167 b320 c347 a400
  class a 6 4 0
  class b 3 2 0
  class c 1 2 1
  all 10 8 1

  window 59
  reference c21 a53 b175 b191 b198 c226 c244 a265 a314
  detection a1 c49 a79 a87 b152 a166 b222 b236 c257 c258
  class a 3 4 1
  class b 3 3 3
  class c 3 3 3
  all 9 10 7

  window 32
  reference c53 b159 c243 b253 b269 a329 b334 b347 b368 a389 c399 b449 b471
  detection b8 b112 a138 b154 a169 b181 b207 a232 c261 c324 b373 a385
  class a 2 4 1
  class b 8 6 2
  class c 3 2 1
  all 13 12 4

  window 7
  reference b20 b32 a37 b37 b110 b118 a140 a157 a160 c177 c179
  detection c10 c53 c71 a79 c97 c140 b155 a167 b171 c202
  class a 4 2 1
  class b 5 2 0
  class c 2 6 0
  all 11 10 1

  window 10
  reference a9 c34 a35 b56
  detection a6 a18 c19 a27 a35 a51
  class a 2 5 2
  class b 1 0 0
  class c 1 1 0
  all 4 6 2

  window 38
  reference b0 c51 a179 b207 a273 a366 b404 c429
  detection c5 a24 c44 c56 c61 a62 b87 a290 a317 a422 b492
  class a 3 5 1
  class b 3 2 0
  class c 2 4 1
  all 8 11 2

  window 3
  reference a543
  detection b1 a23 c26 a164 a396 b409 c511
  class a 1 3 0
  class b 0 2 0
  class c 0 2 0
  all 1 7 0

  window 3
  reference b21 a50 b201 b348 a359 b452 b532
  detection a49 c296
  class a 2 1 1
  class b 5 0 0
  class c 0 1 0
  all 7 2 1

  window 45
  reference a13 b77 b96 a123 b179 a200 c217 c221 b229 b242 b343 c349 c490
  detection b0 c32 c71 c161 a204 c233 b305 b328 b344 b352 a416 c427 c463
  class a 3 2 1
  class b 6 5 1
  class c 4 6 2
  all 13 13 4

  window 9
  reference c32 a45 c56 a66 b71 a113 b152 a200 c228
  detection a25 b31 b60 a135 c199 c228 a230
  class a 4 3 0
  class b 2 2 0
  class c 3 2 1
  all 9 7 1

  window 55
  reference c48 a413
  detection a13 c36 c60 a378
  class a 1 2 1
  class b 0 0 0
  class c 1 2 1
  all 2 4 2

  window 51
  reference b66 c66 b90 a103 c107 a113 b119 b122 a152 c155
  detection c65 c111 b112 a123 a124 b142 c148 a156
  class a 3 3 3
  class b 4 2 2
  class c 3 3 3
  all 10 8 8

  window 59
  reference c138 a172
  detection a33 b164 a310
  class a 1 2 0
  class b 0 1 0
  class c 1 0 0
  all 2 3 0

  window 59
  reference a43 b77 a369 c393 b463 a501
  detection a34 b50 a106 b186 a252 a263 a287 b338 c446 c459 b478 a534
  class a 3 6 2
  class b 2 4 2
  class c 1 2 1
  all 6 12 5

  window 15
  reference c9 c51 b84 c87 b92 c94 c112 a121 a128 b167 c177
  detection b56 a64 b85 c123 a124
  class a 2 2 1
  class b 3 2 1
  class c 6 1 1
  all 11 5 3

  window 49
  reference b40 b54 c135 c144 a203 b336 b387 b408 a416 a426
  detection b2 a17 a31 b82 c110 a157 a357 c399
  class a 3 4 1
  class b 5 2 2
  class c 2 2 1
  all 10 8 4

  window 27
  reference c1 c58 c69 b120 c130 c139 a144 c153
  detection b30 c68 c88 b96 c108
  class a 1 0 0
  class b 1 2 1
  class c 6 3 3
  all 8 5 4

  window 23
  reference b104 b119 a211
  detection a0 b101 c107 a118 c168 c296
  class a 1 2 0
  class b 2 1 1
  class c 0 3 0
  all 3 6 1

  window 15
  reference c51 b70 c136 a187 a327 c382
  detection c179 b340
  class a 2 0 0
  class b 1 1 0
  class c 3 1 0
  all 6 2 0

  window 37
  reference a105
  detection a0 c202 c295
  class a 1 1 0
  class b 0 0 0
  class c 0 2 0
  all 1 3 0

  window 9
  reference a1 b4 a33 a45 b54 b65 a103 c151 b157
  detection b0 c5 b43 b48 a104 a120 b136 c156 c159 b161 c162
  class a 4 2 1
  class b 4 5 3
  class c 1 4 1
  all 9 11 5

  window 8
  reference a11 b15 a16 c20 c33 a36 c47 a50 a51 a55 c61 a69
  detection b11 c13 a14 c15 a27 c28 b30 c39 b47 c61 a64 a68
  class a 7 4 2
  class b 1 3 1
  class c 4 5 4
  all 12 12 7

  window 7
  reference a2 c14 a18 c19 a23 a27 a30 b31 a33 b38 b48 c52
  detection c0 b13 a15 c16 b24 b27 c36 a37 c52
  class a 6 2 2
  class b 3 3 1
  class c 3 4 2
  all 12 9 5

  window 27
  reference a80 b90 b121
  detection c4 c28 c147
  class a 1 0 0
  class b 2 0 0
  class c 0 3 0
  all 3 3 0
  """
