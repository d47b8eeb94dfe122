import Foundation

/// A content as the server sends it, written by hand after the description of the format.
enum HikeContentSample {
  /// The MD5 of its profiles, by another program:
  /// `python3 -c "import json,hashlib,sys; print(hashlib.md5(json.dumps(json.load(sys.stdin)
  /// ['profiles'],separators=(',',':')).encode()).hexdigest())" < content.json`
  static let checksum = "ed49b59e52a074fb20fb50d1ac96f6a8"

  /// Numbers and strings for ids, coordinates as strings, a picture in lines of 60 letters, an icon
  /// that is null, a reward under its key and one under an empty key, unknown keys.
  static let text = #"""
    {
      "version": "ed49b59e52a074fb20fb50d1ac96f6a8",
      "published": {"by": ["nobody", 1.5e3, true]},
      "profiles": [
        {
          "id": 1, "name_en": "Families", "name_nl": "Gezinnen",
          "description_en": "Short walks", "description_nl": null,
          "image_data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\n+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\n",
          "icon_data": null, "colour": "green",
          "routes": [
            {
              "id": "7", "profile_id": 1, "name_en": "Old town", "name_nl": "Caf\u00e9 \"de \\ Zon\"",
              "reward": {"id": 3, "name_en": "A feather", "image_data": "aGk="},
              "waypoints": [
                {"rank": 0, "location_id": 11, "route_id": 7, "name_en": "Bridge",
                 "description_en": "Cross  it.", "latitude": "52.0907", "longitude": "5.1214",
                 "image_data": null},
                {"rank": 1, "location_id": "12", "route_id": 7, "name_nl": "Toren",
                 "latitude": " 52.09116 ", "longitude": "5.1214", "image_data": ""},
                {"rank": "2", "location_id": 13, "latitude": 52.09163, "longitude": -5.1214}
              ]
            },
            {"id": 8, "name_en": "Park", "": {"id": 4, "name_en": "A leaf"}, "waypoints": []}
          ]
        },
        {"id": 2, "name_en": "Runners", "routes": null}
      ]
    }
    """#

  static var bytes: [UInt8] { Array(text.utf8) }

  /// The same with something else in place of something.
  static func bytes(replacing old: String, with new: String) -> [UInt8] {
    Array(text.replacingOccurrences(of: old, with: new).utf8)
  }
}
