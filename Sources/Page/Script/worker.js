// @ts-check
// What runs in the Worker of a page: the module, which may be somebody else's. core.js starts the Worker with the
// text of this function, so that it uses nothing outside of itself.

/**
 * @param {[string, string][]} columns The name and the type of each column.
 * @param {number} mostPages The most memory of the module, of 64 KiB each.
 */
export function worker(columns, mostPages) {
  /** @type {any} */
  const scope = self;
  /** @type {any} The functions of the module. */
  let calls = null;
  // A column has no more elements than the input has bytes, or than this.
  let mostElements = 1e6;

  /** What the module says of its input, unlike a fault of the module. */
  class Refusal extends Error {}

  /** Texts that end with 0. */
  const texts = (bytes) => new TextDecoder().decode(bytes).split("\0").slice(0, -1);

  /** @param {Uint8Array} bytes */
  function limited(bytes) {
    let place = 8;
    const number = () => {
      let result = 0;
      for (let factor = 1; ; factor *= 128, place += 1) {
        result += (bytes[place] & 127) * factor;
        if (!(bytes[place] & 128)) { place += 1; return result; }
      }
    };
    const four = (value) => [value & 127 | 128, value >> 7 & 127 | 128, value >> 14 & 127 | 128, value >> 21 & 127];
    while (place < bytes.length) {
      const start = place;
      const id = bytes[place];
      place += 1;
      const end = number() + place;
      if (id === 5 && bytes[place] === 1 && bytes[place + 1] <= 1) {
        const hasMost = bytes[place + 1] === 1;
        place += 2;
        const least = number();
        const most = hasMost ? Math.min(number(), mostPages) : mostPages;
        return new Blob([bytes.subarray(0, start), Uint8Array.of(5, 10, 1, 1, ...four(least), ...four(most)),
          bytes.subarray(end)]).arrayBuffer();
      }
      place = end;
    }
    throw new Error("a module without a memory");
  }

  /**
   * @param {string} type
   * @param {number} address
   * @param {number} count
   */
  function array(type, address, count) {
    if (!(count >= 0 && count <= mostElements)) throw new Error(`a column of ${count} elements`);
    return count > 0 ? new scope[type](calls.memory.buffer, address, count).slice() : new scope[type](0);
  }

  /**
   * @param {string} name
   * @param {number} [count] how many elements; all by default
   * @returns {any} a typed array
   */
  function column(name, count) {
    const number = columns.findIndex((one) => one[0] === name);
    const address = calls.column(number);
    return array(columns[number][1], address, count === undefined ? calls.columnLength() : count);
  }

  /** @param {Uint8Array | Float64Array} values */
  function send({ buffer }) {
    mostElements = Math.max(mostElements, buffer.byteLength);
    const address = calls.input(buffer.byteLength);
    new Uint8Array(calls.memory.buffer, address, buffer.byteLength).set(new Uint8Array(buffer));
  }

  /** @param {number} status */
  function check(status) {
    if (status >= 0) return status;
    throw new Refusal(new TextDecoder().decode(column("message")).slice(0, 1000));
  }

  /** @param {(number | null | undefined)[]} values */
  function setValues(values) {
    const address = calls.values();
    new Float64Array(calls.memory.buffer, address, values.length).set(values.map((value) => value ?? NaN));
  }

  /** @param {number} count */
  function placesRead(count) {
    const numbers = column("places", 3 * count);
    return Array.from({ length: count }, (_, index) => ({ latitude: numbers[3 * index],
      longitude: numbers[3 * index + 1], radius: numbers[3 * index + 2] }));
  }

  /** @type {Record<string, (...values: any[]) => any>} */
  const functions = {
    async start(bytes) {
      calls = (await WebAssembly.instantiate(await limited(bytes), {})).instance.exports;
      // A module with a custom detector.
      if (!calls.ownNumber) return null;
      const [name] = texts(array("Uint8Array", calls.ownTexts(), calls.ownTextsLength()));
      return { name, number: calls.ownNumber() };
    },
    open(trace, bytes) { send(bytes); check(calls.open(trace)); },
    label(trace, task, bytes) { send(bytes); check(calls.label(trace, task)); },
    run(trace, detector, values, settled, early, late) {
      setValues(values);
      check(calls.run(trace, detector, values.length, settled ? 1 : 0, early, late));
      const counts = column("counts");
      const found = {
        onsets: column("onsets"), emitted: column("emitted"), peaks: column("peaks"),
        places: column("detectionPlaces"), outcomes: column("outcomes"), partners: column("partners"),
        references: column("references"), delays: column("delays"), track: column("track"),
        confusion: { classes: texts(column("classes")), counts: column("confusion") },
        hits: counts[0], alarms: counts[1], misses: counts[2], duplicates: counts[3], hours: counts[4],
        isScored: counts.length > 0,
      };
      const { onsets, emitted, peaks, places, outcomes, partners, confusion } = found;
      const isWhole = [emitted, peaks, places, ...(found.isScored ? [outcomes, partners] : [])]
        .every((one) => one.length === onsets.length) && confusion.counts.length === confusion.classes.length ** 2;
      if (!isWhole) throw new Error("columns of different lengths");
      return found;
    },
    // The use of each fix as a letter, and the places with their radii for the detector.
    uses(trace, detector, values) {
      setValues(values);
      const places = calls.readPlaces(trace);
      const count = check(calls.readUses(trace, detector, values.length));
      if (!count) return {};
      return { uses: Array.from(column("uses"), (use) => "ars"[use]).join(""), places: placesRead(places) };
    },
    places: (trace) => placesRead(calls.readPlaces(trace)),
    signal(trace, detector) {
      const count = calls.signal(trace, detector);
      // Only positions have them.
      const optional = (name) => {
        const found = column(name);
        return count > 0 && found.length ? found : null;
      };
      return {
        times: column("times", count), values: column("magnitudes", count),
        latitudes: optional("latitudes"), longitudes: optional("longitudes"), accuracies: optional("accuracies"),
      };
    },
    labels(trace, task) {
      const count = calls.labels(trace, task);
      const [onsets, offsets] = [column("labelOnsets", count), column("labelOffsets", count)];
      const names = texts(column("labelTexts"));
      if (names.length !== count) throw new Error(`${names.length} texts of ${count} labels`);
      return Array.from(onsets, (onset, index) => ({ onset, offset: offsets[index], label: names[index] }));
    },
    zones(trace) {
      const count = calls.zones(trace);
      const [onsets, offsets] = [column("zoneOnsets", count), column("zoneOffsets", count)];
      return Array.from(onsets, (onset, index) => [onset / 1e9, offsets[index] / 1e9]);
    },
    estimates(numbers, people, forNewPeople) {
      send(numbers);
      return array("Float64Array", calls.estimates(people, forNewPeople ? 1 : 0), 9);
    },
    percentiles(numbers) { send(numbers); return array("Float64Array", calls.percentiles(), 4); },
    flips(numbers) { send(numbers); check(calls.flips()); return column("flipPlaces"); },
    openCurve(curve, numbers) { send(numbers); check(calls.openCurve(curve)); },
    curveStep(curve, threshold, count) {
      const place = calls.curveStep(curve, threshold);
      if (!(place >= -1 && place < count)) throw new Error(`step ${place} of ${count}`);
      return place;
    },
    choose(numbers) { send(numbers); return check(calls.choose()) === 0 ? null : column("choice"); },
  };

  scope.onmessage = async ({ data: { name, values } }) => {
    try {
      const value = await functions[name](...values);
      const columnsOfValue = Object.values(value ?? {}).filter(ArrayBuffer.isView).map(({ buffer }) => buffer);
      scope.postMessage({ value }, ArrayBuffer.isView(value) ? [value.buffer] : columnsOfValue);
    } catch (error) {
      const trap = error instanceof WebAssembly.RuntimeError ? "a trap: " : "";
      scope.postMessage(error instanceof Refusal ? { refusal: error.message } : { fault: trap + error.message });
    }
  };
}
