(() => {
  // Sources/Page/Script/text.js
  var fixed = (value, digits) => value === null || value === void 0 || Number.isNaN(value) ? "–" : value.toFixed(digits);
  var share = (value) => fixed(value, 3);
  var rate = (value) => fixed(value, value < 100 ? 1 : 0);
  var counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  var lasting = (seconds) => seconds < 1e3 ? `${fixed(seconds, 0)} s` : seconds < 1e4 ? `${fixed(seconds / 60, 0)} min` : `${fixed(seconds / 3600, 1)} h`;
  var clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  var isSet = (value) => value !== null && value !== void 0 && Number.isFinite(value);
  var distanceName = (metres) => !isSet(metres) ? "" : metres % 1e3 === 0 ? `${metres / 1e3} km` : `${fixed(metres / 1609.344, 0)} mi`;
  var short = (value) => Number(value.toPrecision(4));
  var shown = (value, field) => field.kind === "choice" ? field.choices[value] : field.kind === "flag" ? String(value !== 0) : String(Number(value.toPrecision(6)));
  var lastPart = (path) => path.split("/").pop();

  // Sources/Page/Script/model.js
  var model = JSON.parse(document.getElementById("model").textContent);
  var isDrawn = (run) => isSet(model.entries[run.entry].number) && Boolean(model.traces[run.trace].data);
  var canRun = (run) => model.entries[run.entry].is_runnable && isDrawn(run) && model.traces[run.trace].whole;
  var hasFigures = (run) => canRun(run) || Boolean(run.curve);
  function valuesOf(run, { preset, changes: changes2 }) {
    const base = preset === null ? run.values : run.presets[preset] || model.entries[run.entry].presets[preset].values;
    return base.map((value, index) => changes2.has(index) ? changes2.get(index) : value);
  }
  var tracked = ({ distance, moving_time: time }) => isSet(distance) || isSet(time) ? [distance, NaN, time, NaN] : [];
  function resultAsStored(run) {
    if (!run.stored)
      return null;
    return {
      ...run.stored,
      hits: run.hits,
      alarms: run.false_alarms,
      misses: run.misses,
      isScored: isSet(run.hits),
      track: tracked(run.stored)
    };
  }
  var baseOf = (run) => run.before ? { ...run.before, isScored: true, track: tracked(run.before) } : null;
  var usesOf = (run) => run.uses ? run.uses.replace(/([a-z])([0-9]+)/g, (_, use2, count) => use2.repeat(Number(count))) : null;

  // Sources/Page/Script/worker.js
  function worker(columns, mostPages) {
    const scope = self;
    let calls = null;
    let mostElements = 1e6;
    class Refusal extends Error {
    }
    const texts = (bytes) => new TextDecoder().decode(bytes).split("\0").slice(0, -1);
    function limited(bytes) {
      let place = 8;
      const number2 = () => {
        let result = 0;
        for (let factor = 1; ; factor *= 128, place += 1) {
          result += (bytes[place] & 127) * factor;
          if (!(bytes[place] & 128)) {
            place += 1;
            return result;
          }
        }
      };
      const four = (value) => [value & 127 | 128, value >> 7 & 127 | 128, value >> 14 & 127 | 128, value >> 21 & 127];
      while (place < bytes.length) {
        const start = place;
        const id = bytes[place];
        place += 1;
        const end = number2() + place;
        if (id === 5 && bytes[place] === 1 && bytes[place + 1] <= 1) {
          const hasMost = bytes[place + 1] === 1;
          place += 2;
          const least = number2();
          const most = hasMost ? Math.min(number2(), mostPages) : mostPages;
          return new Blob([
            bytes.subarray(0, start),
            Uint8Array.of(5, 10, 1, 1, ...four(least), ...four(most)),
            bytes.subarray(end)
          ]).arrayBuffer();
        }
        place = end;
      }
      throw new Error("a module without a memory");
    }
    function array(type, address, count) {
      if (!(count >= 0 && count <= mostElements))
        throw new Error(`a column of ${count} elements`);
      return count > 0 ? new scope[type](calls.memory.buffer, address, count).slice() : new scope[type](0);
    }
    function column(name, count) {
      const number2 = columns.findIndex((one) => one[0] === name);
      const address = calls.column(number2);
      return array(columns[number2][1], address, count === void 0 ? calls.columnLength() : count);
    }
    function send({ buffer }) {
      mostElements = Math.max(mostElements, buffer.byteLength);
      const address = calls.input(buffer.byteLength);
      new Uint8Array(calls.memory.buffer, address, buffer.byteLength).set(new Uint8Array(buffer));
    }
    function check(status) {
      if (status >= 0)
        return status;
      throw new Refusal(new TextDecoder().decode(column("message")).slice(0, 1e3));
    }
    function setValues(values) {
      const address = calls.values();
      new Float64Array(calls.memory.buffer, address, values.length).set(values.map((value) => value ?? NaN));
    }
    function placesRead(count) {
      const numbers = column("places", 3 * count);
      return Array.from({ length: count }, (_, index) => ({
        latitude: numbers[3 * index],
        longitude: numbers[3 * index + 1],
        radius: numbers[3 * index + 2]
      }));
    }
    const functions = {
      async start(bytes) {
        calls = (await WebAssembly.instantiate(await limited(bytes), {})).instance.exports;
        if (!calls.ownNumber)
          return null;
        const [name] = texts(array("Uint8Array", calls.ownTexts(), calls.ownTextsLength()));
        return { name, number: calls.ownNumber() };
      },
      open(trace, bytes) {
        send(bytes);
        check(calls.open(trace));
      },
      label(trace, task, bytes) {
        send(bytes);
        check(calls.label(trace, task));
      },
      run(trace, detector, values, settled, early, late) {
        setValues(values);
        check(calls.run(trace, detector, values.length, settled ? 1 : 0, early, late));
        const counts2 = column("counts");
        const found = {
          onsets: column("onsets"),
          emitted: column("emitted"),
          peaks: column("peaks"),
          places: column("detectionPlaces"),
          outcomes: column("outcomes"),
          partners: column("partners"),
          references: column("references"),
          delays: column("delays"),
          track: column("track"),
          confusion: { classes: texts(column("classes")), counts: column("confusion") },
          hits: counts2[0],
          alarms: counts2[1],
          misses: counts2[2],
          duplicates: counts2[3],
          hours: counts2[4],
          isScored: counts2.length > 0
        };
        const { onsets, emitted, peaks, places, outcomes, partners, confusion } = found;
        const isWhole = [emitted, peaks, places, ...found.isScored ? [outcomes, partners] : []].every((one) => one.length === onsets.length) && confusion.counts.length === confusion.classes.length ** 2;
        if (!isWhole)
          throw new Error("columns of different lengths");
        return found;
      },
      // The use of each fix as a letter, and the places with their radii for the detector.
      uses(trace, detector, values) {
        setValues(values);
        const places = calls.readPlaces(trace);
        const count = check(calls.readUses(trace, detector, values.length));
        if (!count)
          return {};
        return { uses: Array.from(column("uses"), (use2) => "ars"[use2]).join(""), places: placesRead(places) };
      },
      places: (trace) => placesRead(calls.readPlaces(trace)),
      signal(trace, detector) {
        const count = calls.signal(trace, detector);
        const optional = (name) => {
          const found = column(name);
          return count > 0 && found.length ? found : null;
        };
        return {
          times: column("times", count),
          values: column("magnitudes", count),
          latitudes: optional("latitudes"),
          longitudes: optional("longitudes"),
          accuracies: optional("accuracies")
        };
      },
      labels(trace, task) {
        const count = calls.labels(trace, task);
        const [onsets, offsets] = [column("labelOnsets", count), column("labelOffsets", count)];
        const names = texts(column("labelTexts"));
        if (names.length !== count)
          throw new Error(`${names.length} texts of ${count} labels`);
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
      percentiles(numbers) {
        send(numbers);
        return array("Float64Array", calls.percentiles(), 4);
      },
      flips(numbers) {
        send(numbers);
        check(calls.flips());
        return column("flipPlaces");
      },
      openCurve(curve2, numbers) {
        send(numbers);
        check(calls.openCurve(curve2));
      },
      curveStep(curve2, threshold, count) {
        const place = calls.curveStep(curve2, threshold);
        if (!(place >= -1 && place < count))
          throw new Error(`step ${place} of ${count}`);
        return place;
      },
      choose(numbers) {
        send(numbers);
        return check(calls.choose()) === 0 ? null : column("choice");
      }
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

  // Sources/Page/Script/core.js
  var TASKS = ["punch", "visit", "distance", "moving_time", "split", "ascent", "presence", "drop"];
  var NONE = -2147483648;
  var COLUMNS = Object.entries({
    message: "Uint8Array",
    onsets: "Float64Array",
    emitted: "Float64Array",
    peaks: "Float64Array",
    detectionPlaces: "Int32Array",
    outcomes: "Uint8Array",
    references: "Uint8Array",
    partners: "Int32Array",
    counts: "Float64Array",
    track: "Float64Array",
    delays: "Float64Array",
    classes: "Uint8Array",
    confusion: "Int32Array",
    times: "Float64Array",
    magnitudes: "Float32Array",
    latitudes: "Float64Array",
    longitudes: "Float64Array",
    accuracies: "Float64Array",
    labelOnsets: "Float64Array",
    labelOffsets: "Float64Array",
    labelTexts: "Uint8Array",
    zoneOnsets: "Float64Array",
    zoneOffsets: "Float64Array",
    places: "Float64Array",
    uses: "Uint8Array",
    choice: "Float64Array",
    flipPlaces: "Int32Array"
  });
  var [MOST_SECONDS, MOST_PAGES] = [10, 32768];
  async function inflated(name) {
    const text = document.getElementById(name).textContent;
    const bytes = "fromBase64" in Uint8Array ? (
      /** @type {any} */
      Uint8Array.fromBase64(text)
    ) : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const whole = new Uint8Array(new DataView(bytes.buffer).getUint32(bytes.length - 4, true));
    const stream = new DecompressionStream("gzip");
    const writer = stream.writable.getWriter();
    const written = Promise.all([writer.write(bytes), writer.close()]);
    const reader = stream.readable.getReader();
    let place = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      whole.set(part.value, place);
      place += part.value.length;
    }
    await written;
    return whole;
  }
  var Fault = class extends Error {
  };
  var without = (none) => (error) => {
    if (error instanceof Fault)
      return none;
    throw error;
  };
  var code = null;
  var running = null;
  var last = Promise.resolve();
  var edited = /* @__PURE__ */ new Map();
  function inTurn(calls) {
    const answer2 = last.then(calls);
    last = answer2.catch(() => {
    });
    return answer2;
  }
  function answer(name, values) {
    return new Promise((resolve, reject) => {
      let ticks = 0;
      const clock = setInterval(() => {
        ticks += 1;
        if (ticks === MOST_SECONDS)
          settle({ fault: "none" });
      }, 1e3);
      const settle = ({ value, refusal, fault }) => {
        clearInterval(clock);
        if (fault !== void 0)
          reject(new Fault(fault));
        else if (refusal !== void 0)
          reject(new Error(refusal));
        else
          resolve(value);
      };
      running.onmessage = ({ data }) => settle(data);
      running.onerror = (event) => {
        event.preventDefault();
        settle({ fault: "no Worker, which a page needs for it" });
      };
      running.postMessage({ name, values }, name === "open" ? [values[1].buffer] : []);
    });
  }
  function stop() {
    running?.terminate();
    running = null;
    core.open.clear();
    core.curves.clear();
  }
  async function startWorker() {
    stop();
    const text = `(${worker})(${JSON.stringify(COLUMNS)}, ${MOST_PAGES})`;
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    try {
      running = new Worker(address);
      return await answer("start", [code]);
    } finally {
      URL.revokeObjectURL(address);
    }
  }
  async function call(place, ...values) {
    if (core.faults.has(place))
      throw new Fault(core.faults.get(place));
    try {
      if (!running)
        await startWorker();
      return await answer(place.split(" ")[0], values);
    } catch (error) {
      if (!(error instanceof Fault))
        throw error;
      stop();
      const text = faultText(`${place} in the module`, error.message);
      core.faults.set(place, text);
      core.onFault();
      throw new Fault(text);
    }
  }
  var faultText = (place, found) => `${place}: expected an answer within ${MOST_SECONDS} s, found ${found}; the page goes on without it. Correct a detector of your own and build its module again; otherwise reload the page in a current browser.`;
  async function openTrace(trace) {
    if (running && core.open.has(trace))
      return;
    const { id, data } = model.traces[trace];
    await call(`open of ${id}`, trace, await inflated(data));
    core.open.add(trace);
    for (const [one, task, labels] of edited.values()) {
      if (one === trace)
        await call(`label of ${id}`, trace, task, packedLabels(labels));
    }
  }
  var callFor = (name, trace, ...values) => inTurn(async () => {
    await openTrace(trace);
    return call(`${name} of ${model.traces[trace].id}`, trace, ...values);
  });
  var callWith = (name, { trace, entry }, ...values) => inTurn(async () => {
    await openTrace(trace);
    const { detector, number: number2 } = model.entries[entry];
    return call(`${name} of ${detector}`, trace, number2, ...values);
  });
  var core = {
    /** @type {Set<number>} The loaded traces, by number. */
    open: /* @__PURE__ */ new Set(),
    /** @type {Map<import("./model.js").Curve, number>} */
    curves: /* @__PURE__ */ new Map(),
    /** @type {{ name: string, number: number } | null} The custom detector of the module. */
    own: null,
    /** @type {Map<string, string>} What the module failed in, and the words for it. */
    faults: /* @__PURE__ */ new Map(),
    onFault() {
    },
    start() {
      return inTurn(async () => {
        code = await inflated("module");
        try {
          this.own = await startWorker();
        } catch (error) {
          throw new Error(faultText("start of the module", error.message));
        }
      });
    },
    /** @param {number} trace */
    load: (trace) => inTurn(() => openTrace(trace)),
    /**
     * @param {import("./model.js").Run} run
     * @param {number[]} values
     * @returns {Promise<Result>}
     */
    async run(run, values) {
      const found = await callWith("run", run, values, model.entries[run.entry].settled, run.early, run.late);
      return { ...found, hours: run.hours ?? found.hours };
    },
    /**
     * @param {import("./model.js").Run} run
     * @param {number[]} values
     * @returns {Promise<{ uses?: string, places?: Place[] }>}
     */
    uses: (run, values) => callWith("uses", run, values),
    /** @param {number} trace @returns {Promise<Place[]>} */
    places: (trace) => callFor("places", trace),
    /** @param {number} trace @param {number} detector @returns {Promise<Signal>} */
    signal: (trace, detector) => callFor("signal", trace, detector),
    /** @param {number} trace @param {string} task @returns {Promise<Label[]>} */
    labels: (trace, task) => callFor("labels", trace, TASKS.indexOf(task)),
    /** @param {number} trace @returns {Promise<number[][]>} */
    zones: (trace) => callFor("zones", trace),
    /** @param {number} trace @param {string} task @param {Label[]} labels */
    setLabels(trace, task, labels) {
      const kept = labels.map((label) => ({ ...label }));
      edited.set(`${trace} ${task}`, [trace, TASKS.indexOf(task), kept]);
      return callFor("label", trace, TASKS.indexOf(task), packedLabels(kept));
    },
    /**
     * @param {number[][]} people hits, misses, false alarms and hours of each
     * @returns {Promise<Estimate[]>} recall, precision and false alarms per hour
     */
    async estimates(people) {
      const numbers = Float64Array.from(people.flat());
      const found = await inTurn(() => call("estimates", numbers, people.length, model.is_for_new_people));
      return ["recall", "precision", "rate"].map((name, index) => ({ name, value: found[3 * index], lower: found[3 * index + 1], upper: found[3 * index + 2] }));
    },
    /**
     * Percentiles 1, 50, 90 and 99.
     * @param {number[]} numbers
     * @returns {Promise<Float64Array>}
     */
    percentiles: (numbers) => inTurn(() => call("percentiles", Float64Array.from(numbers))),
    /**
     * The differences between two results of a run. A detection that moved within the tolerance is the same.
     * @param {import("./model.js").Run} run
     * @param {Result} old
     * @param {Result} fresh
     * @returns {Promise<Flips>}
     */
    async flips(run, old, fresh) {
      const reach = Math.max(run.tolerance_early ?? NaN, run.tolerance_late ?? NaN);
      const numbers = [
        reach,
        ...[old, fresh].flatMap((result) => [result.onsets.length, result.references.length]),
        ...[old, fresh].flatMap((result) => [...Array.from(result.onsets).flatMap((onset, place) => [
          onset,
          result.emitted[place],
          result.peaks[place] ?? NaN,
          (result.places || [])[place] ?? NONE,
          result.outcomes[place]
        ]), ...Array.from(result.references)])
      ];
      const [found, lost, more, ...places] = await inTurn(() => call("flips", Float64Array.from(numbers)));
      const [second, third] = [found + lost, found + lost + more];
      return {
        found: places.slice(0, found),
        lost: places.slice(found, second),
        more: places.slice(second, third),
        fewer: places.slice(third)
      };
    },
    /**
     * The step of a sweep's curve at a threshold; the nearest of tried thresholds; -1 = none.
     * @param {import("./model.js").Curve} curve
     * @param {number} threshold
     * @returns {Promise<number>}
     */
    step: (curve2, threshold) => inTurn(async () => {
      if (!core.curves.has(curve2)) {
        await call("openCurve", core.curves.size, Float64Array.of(
          curve2.upper,
          curve2.references,
          curve2.scored_nanoseconds,
          curve2.is_exact ? 1 : 0,
          ...curve2.thresholds,
          ...curve2.true_positives,
          ...curve2.false_positives
        ));
        core.curves.set(curve2, core.curves.size);
      }
      return call("curveStep", core.curves.get(curve2), threshold, curve2.thresholds.length);
    }),
    /**
     * The choice of `tune` among thresholds in ascending order; null = none.
     * @param {number} budget
     * @param {number[]} thresholds
     * @param {{ person: number, hours: number, references: number, hits: number[], alarms: number[] }[]} recordings hits and
     *   false alarms at each threshold
     * @returns {Promise<Choice | null>}
     */
    async choice(budget, thresholds, recordings) {
      if (!thresholds.length || !recordings.length)
        return null;
      const numbers = [
        budget,
        model.plateau_loss,
        thresholds.length,
        recordings.length,
        ...thresholds,
        ...recordings.flatMap(({ person, hours, references, hits, alarms }) => [person, hours, references, ...hits, ...alarms])
      ];
      const found = await inTurn(() => call("choose", Float64Array.from(numbers)));
      if (!found)
        return null;
      const [best, recall, rate2, least, lower, upper] = found;
      return { best, recall, rate: rate2, least, lower, upper };
    }
  };
  function packedLabels(labels) {
    const bytes = [];
    const plane = (values, width) => {
      for (let place = 0; place < width; place += 1) {
        for (const value of values)
          bytes.push(Number(value >> BigInt(8 * place) & 255n));
      }
    };
    const differences = (times) => times.map((time, index) => BigInt.asUintN(64, BigInt(time) - (index > 0 ? BigInt(times[index - 1]) : 0n)));
    const nan = new BigUint64Array(new Float64Array([NaN]).buffer)[0];
    plane([BigInt(labels.length)], 4);
    plane(differences(labels.map((label) => Math.round(label.onset))), 8);
    plane(differences(labels.map((label) => Math.round(label.offset))), 8);
    plane(labels.map(() => 0x80000000n), 4);
    plane(labels.map(() => nan), 8);
    for (const { label } of labels) {
      const text = new TextEncoder().encode(label).slice(0, 65535);
      bytes.push(text.length & 255, text.length >> 8, ...text);
    }
    return Uint8Array.from(bytes);
  }

  // Sources/Page/Script/drawing.js
  function pyramid(values) {
    const levels = [{ low: values, high: values }];
    while (levels[levels.length - 1].low.length > 512) {
      const last2 = levels[levels.length - 1];
      const count = Math.ceil(last2.low.length / 4);
      const [low, high] = [new Float32Array(count), new Float32Array(count)];
      for (let index = 0; index < count; index += 1) {
        let [least, most] = [Infinity, -Infinity];
        for (let place = 4 * index; place < Math.min(4 * index + 4, last2.low.length); place += 1) {
          if (last2.low[place] < least)
            least = last2.low[place];
          if (last2.high[place] > most)
            most = last2.high[place];
        }
        low[index] = least;
        high[index] = most;
      }
      levels.push({ low, high });
    }
    return levels;
  }
  function firstAtLeast(times, time) {
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = low + high >> 1;
      if (times[middle] < time)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  function extremes(levels, start, end) {
    const level = Math.min(levels.length - 1, Math.max(0, Math.floor(Math.log(end - start) / Math.log(4)) - 1));
    const size = 4 ** level;
    const { low, high } = levels[level];
    let [least, most] = [Infinity, -Infinity];
    for (let place = Math.floor(start / size); place < Math.min(low.length, Math.ceil(end / size)); place += 1) {
      if (low[place] < least)
        least = low[place];
      if (high[place] > most)
        most = high[place];
    }
    return [least, most];
  }
  function steps(from, to, count) {
    const raw = (to - from) / count;
    const unit = 10 ** Math.floor(Math.log10(raw));
    const step2 = [1, 2, 5, 10].map((factor) => factor * unit).find((one) => one >= raw);
    const marks = [];
    for (let at = Math.ceil(from / step2) * step2; at <= to && marks.length <= count; at += step2)
      marks.push(at);
    return { marks, digits: Math.max(0, -Math.floor(Math.log10(step2) + 1e-9)) };
  }
  var AREA = { left: 44, right: 8, top: 30, bottom: 22 };
  function scales(shown2, width, height) {
    const inner = width - AREA.left - AREA.right;
    const x = (time2) => AREA.left + (time2 - shown2.from) / (shown2.to - shown2.from) * inner;
    const y = (value) => height - AREA.bottom - value / shown2.top * (height - AREA.bottom - AREA.top);
    const time = (pixel) => shown2.from + (pixel - AREA.left) / inner * (shown2.to - shown2.from);
    return { x, y, time, inner };
  }
  var colors = null;
  var color = (name) => colors[name] || (colors[name] = colors.style.getPropertyValue(name).trim());
  function prepared(canvas, height) {
    colors = { style: getComputedStyle(document.documentElement) };
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth || 600;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    return { context, width, height };
  }
  function dot(context, x, y, size) {
    context.fillStyle = color("--hit");
    context.beginPath();
    context.arc(x, y, size, 0, 7);
    context.fill();
  }
  function ring(context, at, y) {
    context.strokeStyle = color("--miss");
    context.lineWidth = 2;
    context.beginPath();
    context.arc(at, y, 5, 0, 7);
    context.stroke();
  }
  function cross(context, x, y, size) {
    context.strokeStyle = color("--alarm");
    context.lineWidth = 2.2;
    context.beginPath();
    context.moveTo(x - size, y - size);
    context.lineTo(x + size, y + size);
    context.moveTo(x - size, y + size);
    context.lineTo(x + size, y - size);
    context.stroke();
  }
  function hatch(context, from, to, top, bottom) {
    context.save();
    context.beginPath();
    context.rect(from, top, Math.max(1, to - from), bottom - top);
    context.clip();
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    const [first, last2] = [Math.max(from, 0), Math.min(to, context.canvas.clientWidth)];
    for (let at = first - (bottom - top); at < last2; at += 8) {
      context.beginPath();
      context.moveTo(at, bottom);
      context.lineTo(at + bottom - top, top);
      context.stroke();
    }
    context.restore();
  }
  function axes(context, { x, y, left, right, bottom, times, shares }) {
    context.strokeStyle = color("--line");
    context.fillStyle = color("--quiet");
    context.lineWidth = 1;
    context.textAlign = "center";
    for (const mark of times.marks)
      context.fillText(mark.toFixed(times.digits), x(mark), bottom + 14);
    context.textAlign = "right";
    for (const mark of shares) {
      context.beginPath();
      context.moveTo(left, y(mark));
      context.lineTo(right, y(mark));
      context.stroke();
      context.fillText(String(mark), left - 6, y(mark) + 4);
    }
  }

  // Sources/Page/Script/elements.js
  var byId = (id) => document.getElementById(id);
  var elementsOf = (selector) => [...document.querySelectorAll(selector)].map((one) => (
    /** @type {HTMLElement} */
    one
  ));
  function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in element)
        element[name] = value;
      else
        element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== void 0));
    return element;
  }
  var number = (text, title2) => make("td", { className: "number", title: title2 || "" }, text);
  function say(text) {
    byId("message").textContent = text || " ";
  }
  function ordering(text, key, order, usual, reorder, more = "") {
    return make(
      "th",
      { scope: "col", className: more, "aria-sort": order === key ? "descending" : "none" },
      make("button", {
        className: "link",
        title: `largest first: ${text.toLowerCase()}`,
        onclick: () => reorder(order === key ? usual : key)
      }, order === key ? `${text} ↓` : text)
    );
  }
  function sign(kind) {
    const ns = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(ns, "svg");
    picture.setAttribute("viewBox", "-7 -7 14 14");
    picture.setAttribute("aria-hidden", "true");
    const shape = document.createElementNS(ns, kind === "alarm" ? "path" : "circle");
    if (kind === "alarm")
      shape.setAttribute("d", "M-5-5 5 5M-5 5 5-5");
    else
      shape.setAttribute("r", "5");
    shape.setAttribute("fill", kind === "hit" ? `var(--hit)` : "none");
    shape.setAttribute("stroke", `var(--${kind})`);
    shape.setAttribute("stroke-width", "2");
    picture.append(shape);
    return picture;
  }

  // Sources/Page/Script/store.js
  var AS_RUN = { preset: null, changes: /* @__PURE__ */ new Map() };
  var chosen = {
    /** The places in the model of the entry, the run and the app that are open; of an app null = none. */
    entry: 0,
    run: 0,
    /** @type {number | null} */
    app: null,
    /** Counts what has been opened, and what has been computed anew: what took its time may come too late. */
    view: 0,
    generation: 0,
    /** By what the list of traces and that of errors are ordered. */
    order: "errors",
    errorOrder: "time",
    /** @type {number | null} */
    preset: null,
    /** @type {Map<number, number>} */
    changes: /* @__PURE__ */ new Map(),
    /** The place of the error that is visited; -1 = none. */
    error: -1,
    /** Whether labels are edited, and how often they were: curves and results are of one state of them. */
    editing: false,
    edits: 0,
    /** False alarms per hour that are allowed. */
    budget: 10,
    /** Whether n and p go through what has changed, not through errors. */
    walksChanges: Boolean(model.comparison)
  };
  var state = chosen;
  function update(part) {
    Object.assign(chosen, part);
  }
  function enterApp(index) {
    Object.assign(chosen, { app: index, view: chosen.view + 1, error: -1, editing: false });
    return nextGeneration();
  }
  function enterEntry(index) {
    Object.assign(chosen, { app: null, entry: index, preset: null, changes: /* @__PURE__ */ new Map(), view: chosen.view + 1, editing: false });
    nextGeneration();
    return chosen.view;
  }
  function enterRun(index) {
    Object.assign(chosen, { run: index, view: chosen.view + 1, error: -1 });
    return chosen.view;
  }
  function nextGeneration() {
    chosen.generation += 1;
    return chosen.generation;
  }
  function usePreset(preset) {
    Object.assign(chosen, { preset, changes: /* @__PURE__ */ new Map() });
  }
  function changeField(field, value) {
    chosen.changes = new Map([...chosen.changes, [field, value]]);
  }
  function walkThrough(walksChanges) {
    Object.assign(chosen, { walksChanges, error: -1 });
  }
  function countEdit() {
    chosen.edits += 1;
  }
  var isChanged = () => chosen.preset !== null || chosen.changes.size > 0;
  var entryOf = () => model.entries[chosen.entry];
  var runOf = () => model.runs[chosen.run];
  var redraws = {
    /** @type {(() => void) | null} */
    curve: null,
    /** @type {(() => void) | null} */
    delays: null,
    /** @type {(() => Promise<void>) | null} */
    budget: null
  };
  function forgetRedraws() {
    Object.assign(redraws, { curve: null, delays: null, budget: null });
  }
  var actions = {
    draw() {
    },
    async recompute() {
    },
    /** @param {number} index */
    async openRun(index) {
    },
    /** @param {number} index */
    async choose(index) {
    },
    /** @param {number} index */
    async chooseApp(index) {
    }
  };

  // Sources/Page/Script/results.js
  var stored = /* @__PURE__ */ new Map();
  var current = /* @__PURE__ */ new Map();
  function forgetCurrent() {
    current = /* @__PURE__ */ new Map();
  }
  function forgetResults() {
    stored = /* @__PURE__ */ new Map();
    forgetCurrent();
  }
  async function resultOf(index, settings, kept) {
    if (kept.has(index))
      return kept.get(index);
    const result = await computed(model.runs[index], settings);
    if (result)
      kept.set(index, result);
    return result;
  }
  async function computed(run, settings) {
    if (!canRun(run))
      return onCurve(run, valuesOf(run, settings));
    try {
      return await core.run(run, valuesOf(run, settings));
    } catch (error) {
      if (!(error instanceof Fault))
        throw error;
      const entry = model.entries[run.entry];
      const isNew = !entry.refused;
      refuse(entry, FAILED);
      if (isNew && state.app === null && state.entry === run.entry)
        actions.choose(state.entry);
      return null;
    }
  }
  var drawing = /* @__PURE__ */ new Map();
  var FAILED = "The module failed in this detector (see the top of the page)";
  function refuse(entry, why) {
    if (drawing.has(entry))
      entry.number = drawing.get(entry);
    Object.assign(entry, { is_runnable: false, refused: why });
    for (const index of entry.runs)
      stored.delete(index);
  }
  async function onCurve(run, values) {
    const field = model.entries[run.entry].threshold;
    if (!run.curve || values.some((value, place2) => place2 !== field && value !== run.values[place2]))
      return null;
    const { curve: curve2 } = run;
    const place = await core.step(curve2, values[field]);
    if (place < 0)
      return null;
    return {
      hits: curve2.true_positives[place],
      alarms: curve2.false_positives[place],
      misses: curve2.references - curve2.true_positives[place],
      hours: run.hours,
      isScored: true,
      isCounted: true,
      onsets: [],
      emitted: [],
      peaks: [],
      outcomes: [],
      references: [],
      delays: [],
      track: [],
      confusion: { classes: [], counts: [] }
    };
  }
  var asRun = (index) => resultOf(index, AS_RUN, stored);
  var now = (index) => isChanged() ? resultOf(index, state, current) : asRun(index);
  async function before(index) {
    return model.comparison ? baseOf(model.runs[index]) : asRun(index);
  }
  async function adopt(entry) {
    if (!core.own || entry.detector !== core.own.name || !entry.is_repeatable || entry.is_runnable || entry.refused)
      return;
    drawing.set(entry, entry.number);
    [entry.number, entry.is_runnable] = [core.own.number, true];
    let unlike = 0;
    for (const index of entry.runs) {
      const run = model.runs[index];
      if (!canRun(run))
        continue;
      try {
        const result = await core.run(run, valuesOf(run, AS_RUN));
        if (isAlike(result, run.stored))
          stored.set(index, result);
        else
          unlike += 1;
      } catch (error) {
        if (error instanceof Fault) {
          refuse(entry, FAILED);
          return;
        }
        unlike += 1;
      }
    }
    if (unlike) {
      refuse(entry, `The module's ${entry.detector} detects something else than the run, on ${counted(unlike, "trace")}; build the module and the program from the same files`);
    }
  }
  function isAlike(result, was) {
    if (!was)
      return false;
    const same = (one, other) => one.length === other.length && one.every((value, place) => value === other[place] || !isSet(value) && !isSet(other[place]));
    return same(result.onsets, was.onsets) && same(result.emitted, was.emitted) && same(result.peaks, was.peaks) && (state.edits > 0 || same(result.outcomes, was.outcomes) && same(result.references, was.references)) && same([result.track[0], result.track[2]], [tracked(was)[0], tracked(was)[2]]);
  }
  var personOf = (index) => model.traces[model.runs[index].trace].subject || `trace ${index}`;
  function sumsByPerson(results) {
    const people = /* @__PURE__ */ new Map();
    for (const [index, result] of results) {
      const person = personOf(index);
      const sums = people.get(person) || [0, 0, 0, 0];
      [result.hits, result.misses, result.alarms, result.hours].forEach((value, place) => {
        sums[place] += value;
      });
      people.set(person, sums);
    }
    return [...people.values()];
  }
  var countFlips = (all) => ({
    found: all.found.length,
    lost: all.lost.length,
    more: all.more.length,
    fewer: all.fewer.length
  });
  var flipCount = (flip) => flip.found + flip.lost + flip.more + flip.fewer;
  var flipWords = (flip) => [
    flip.found && `${flip.found} found that ${flip.found === 1 ? "was" : "were"} missed`,
    flip.lost && `${flip.lost} missed that ${flip.lost === 1 ? "was" : "were"} found`,
    flip.more && counted(flip.more, "new false alarm"),
    flip.fewer && counted(flip.fewer, "fewer false alarm")
  ].filter(Boolean).join(", ");
  var filed = null;
  var hasFlips = () => filed !== null;
  async function readFlips() {
    const found = /* @__PURE__ */ new Map();
    for (const run of model.runs.filter((one) => one.before && one.stored)) {
      const flips = await core.flips(run, baseOf(run), resultAsStored(run)).catch(without(null));
      if (!flips)
        return;
      found.set(run, countFlips(flips));
    }
    filed = found;
  }
  var filedFlips = (run) => filed?.get(run) ?? null;

  // Sources/Page/Script/view.js
  var plot = {
    canvas: null,
    from: 0,
    to: 1,
    whole: 1,
    signal: null,
    levels: [],
    labels: [],
    labelTimes: [],
    zones: [],
    places: [],
    result: null,
    gaps: [],
    top: 1,
    chosen: null,
    interval: 1,
    median: 0,
    dragged: null,
    lanes: null,
    map: null,
    mapPerson: 0,
    onMap: null,
    zoom: 1,
    shift: [0, 0],
    uses: null,
    events: null
  };
  function setRange(from, to) {
    const length = clamp(to - from, 0.2, plot.whole);
    plot.from = clamp(from, 0, plot.whole - length);
    plot.to = plot.from + length;
    actions.draw();
  }
  var isMap = () => Boolean(plot.signal && plot.signal.latitudes);
  function zoom(factor, at = (plot.from + plot.to) / 2) {
    if (isMap()) {
      zoomMap(plot, factor);
      return;
    }
    setRange(at - (at - plot.from) * factor, at + (plot.to - at) * factor);
  }
  function zoomMap(map, factor, at = [map.canvas.clientWidth / 2, map.canvas.clientHeight / 2]) {
    const zoomed = clamp(map.zoom / factor, 1, 400);
    const middle = [map.canvas.clientWidth / 2, map.canvas.clientHeight / 2];
    map.shift = map.shift.map((shift, axis) => at[axis] - middle[axis] - (at[axis] - middle[axis] - shift) * (zoomed / map.zoom));
    map.zoom = zoomed;
    if (zoomed === 1)
      map.shift = [0, 0];
    actions.draw();
  }
  function moveMap(map, x, y) {
    map.shift = [map.shift[0] + x, map.shift[1] + y];
    actions.draw();
  }
  function showWhole() {
    [plot.zoom, plot.shift] = [1, [0, 0]];
    setRange(0, plot.whole);
  }
  function pan(part) {
    if (isMap()) {
      moveMap(plot, -part * 240, 0);
      return;
    }
    const step2 = part * (plot.to - plot.from);
    setRange(plot.from + step2, plot.to + step2);
  }

  // Sources/Page/Script/labels.js
  var undone = /* @__PURE__ */ new Map();
  var canLabel = (run) => canRun(run) && model.entries[run.entry].task === "punch" && !isMap() && !model.comparison;
  function setEditing(on) {
    update({ editing: on });
    const button = byId("edit");
    if (button)
      button.setAttribute("aria-pressed", String(on));
    labelForm();
  }
  function past() {
    const key = `${runOf().trace} ${entryOf().task}`;
    if (!undone.has(key))
      undone.set(key, []);
    return undone.get(key);
  }
  function nearestLabel(time, canvas) {
    const near = (plot.to - plot.from) * 10 / canvas.clientWidth;
    let [best, distance] = [-1, near];
    plot.labels.forEach((label, index) => {
      const far = Math.abs(label.onset / 1e9 - time);
      if (far < distance)
        [best, distance] = [index, far];
    });
    return best;
  }
  function keep() {
    past().push(plot.labels.map((label) => ({ ...label })));
  }
  function chooseLabel(index) {
    plot.chosen = plot.labels[index] ? { label: index } : null;
    labelForm();
    actions.draw();
  }
  function grab(time, canvas) {
    const index = nearestLabel(time, canvas);
    plot.dragged = index >= 0 ? { label: plot.labels[index], isMoved: false } : null;
    chooseLabel(index);
  }
  function moveTo(label, onset) {
    const length = label.offset - label.onset;
    label.onset = Math.round(clamp(onset, 0, plot.whole * 1e9));
    label.offset = label.onset + length;
  }
  function drag(time) {
    if (!plot.dragged.isMoved) {
      keep();
      plot.dragged.isMoved = true;
    }
    moveTo(plot.dragged.label, time * 1e9);
    plot.labelTimes = [];
    actions.draw();
  }
  function drop() {
    const { isMoved } = plot.dragged;
    plot.dragged = null;
    if (isMoved)
      relabel();
  }
  function addLabel(time) {
    if (!plot.signal)
      return;
    keep();
    const onset = Math.round(clamp(time, 0, plot.whole) * 1e9);
    const label = { onset, offset: onset, label: "" };
    plot.labels.push(label);
    relabel(label);
  }
  function chosenLabel() {
    return plot.chosen ? plot.labels[plot.chosen.label] : void 0;
  }
  function removeLabel() {
    if (!state.editing || !chosenLabel())
      return;
    keep();
    plot.labels.splice(plot.chosen.label, 1);
    plot.chosen = null;
    relabel();
  }
  function undo() {
    if (!state.editing || !plot.signal || !past().length)
      return;
    plot.labels = past().pop();
    plot.chosen = null;
    relabel();
  }
  function pickNext(direction) {
    const { label } = plot.chosen || {};
    const middle = firstAtLeast(plot.labelTimes, (plot.from + plot.to) / 2);
    const index = label === void 0 ? middle - (direction < 0 ? 1 : 0) : label + direction;
    if (!plot.labels[index])
      return;
    const time = plot.labels[index].onset / 1e9;
    const half = (plot.to - plot.from) / 2;
    if (time < plot.from || time > plot.to)
      setRange(time - half, time + half);
    chooseLabel(index);
    say(`label ${index + 1} of ${plot.labels.length} at ${time.toFixed(3)} s${plot.labels[index].label ? `, ${plot.labels[index].label}` : ""}`);
  }
  function moveLabel(direction) {
    const label = chosenLabel();
    if (!label)
      return;
    keep();
    moveTo(label, label.onset + direction * 1e9 * (plot.to - plot.from) / scales(plot, plot.canvas.clientWidth, 340).inner);
    relabel();
    say(`label at ${(label.onset / 1e9).toFixed(3)} s`);
  }
  function relabel(chosen2 = chosenLabel()) {
    plot.labels.sort((a, b) => a.onset - b.onset || a.offset - b.offset);
    if (chosen2)
      plot.chosen = { label: plot.labels.indexOf(chosen2) };
    plot.labelTimes = plot.labels.map((label) => label.onset / 1e9);
    core.setLabels(runOf().trace, entryOf().task, plot.labels);
    countEdit();
    forgetResults();
    actions.recompute();
    labelForm();
  }
  function isStill(label) {
    const { times, values } = plot.signal;
    const [from, to] = [firstAtLeast(times, label.onset / 1e9 - 0.3), firstAtLeast(times, label.offset / 1e9 + 0.3)];
    let most = 0;
    for (let place = from; place < to; place += 1)
      most = Math.max(most, values[place]);
    return most < plot.median + 3;
  }
  function labelForm() {
    const box = byId("labels");
    if (!state.editing || !plot.signal) {
      box.replaceChildren();
      return;
    }
    if (!box.firstChild) {
      const field2 = make("input", { type: "text", id: "label-class", onchange: () => {
        const label2 = chosenLabel();
        if (label2 && label2.label !== field2.value) {
          keep();
          label2.label = field2.value;
          relabel();
        }
      } });
      box.replaceChildren(
        make("p", { className: "quiet" }, "Drag a line to move it; double-click to add one. Keys: a adds one in the middle, [ and ] select, Shift with an arrow moves by a pixel, Delete removes, Ctrl+Z undoes."),
        make(
          "div",
          { className: "row" },
          make("label", { htmlFor: "label-class" }, "Class"),
          field2,
          make("button", { id: "label-remove", onclick: removeLabel }, "Remove"),
          make("button", { id: "label-undo", onclick: undo }, "Undo"),
          make("button", { onclick: saveLabels }, "Save labels"),
          make("span", { className: "warning", id: "label-still" })
        )
      );
    }
    const label = chosenLabel();
    const field = byId("label-class");
    if (document.activeElement !== field || !label)
      field.value = label ? label.label : "";
    field.disabled = !label;
    byId("label-remove").disabled = !label;
    byId("label-undo").disabled = !past().length;
    const still = plot.labels.filter(isStill).length;
    byId("label-still").textContent = still ? `${counted(still, "label")} without movement near it` : "";
  }
  function saveLabels() {
    const quoted = (text2) => /[",\n\r]/.test(text2) ? `"${text2.replaceAll('"', '""')}"` : text2;
    const rows = plot.labels.map((label) => `${label.onset},${label.offset},${quoted(label.label)}`);
    const text = ["onset_ns,offset_ns,label", ...rows, ""].join("\n");
    if (model.is_served) {
      sendLabels(text);
      return;
    }
    const file = new Blob([text], { type: "text/csv" });
    const link = make("a", { href: URL.createObjectURL(file), download: `${model.traces[runOf().trace].id}-labels.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1e3);
  }
  async function sendLabels(text) {
    try {
      const answer2 = await fetch(`labels?trace=${runOf().trace}`, { method: "POST", body: text });
      say(`${answer2.ok ? "" : "Not saved: "}${await answer2.text()}`);
    } catch (error) {
      say(`Not saved: ${error.message}. Is shadowbox report --serve still running?`);
    }
  }

  // Sources/Page/Script/gestures.js
  var positionIn = (canvas, event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  function listenToMap(canvas) {
    const pointers = /* @__PURE__ */ new Map();
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (plot.map)
        zoomMap(plot.map, event.deltaY > 0 ? 1.25 : 0.8, positionIn(canvas, event));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, positionIn(canvas, event));
    });
    canvas.addEventListener("pointermove", (event) => {
      const last2 = pointers.get(event.pointerId);
      if (!last2 || !plot.map)
        return;
      const at = positionIn(canvas, event);
      const other = [...pointers].find(([id]) => id !== event.pointerId);
      if (other) {
        const far = ([x, y]) => Math.max(Math.hypot(x - other[1][0], y - other[1][1]), 1);
        zoomMap(plot.map, far(last2) / far(at), other[1]);
      } else
        moveMap(plot.map, at[0] - last2[0], at[1] - last2[1]);
      pointers.set(event.pointerId, at);
    });
    for (const end of ["pointerup", "pointercancel"])
      canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  function listen(canvas, { select: select2, selectOnMap: selectOnMap2 }) {
    const pointers = /* @__PURE__ */ new Map();
    const position = (event) => event.clientX - canvas.getBoundingClientRect().left;
    const timeAt = (pixel) => scales(plot, canvas.clientWidth, 340).time(pixel);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const factor = event.deltaY > 0 ? 1.25 : 0.8;
      if (isMap())
        zoomMap(plot, factor, positionIn(canvas, event));
      else
        zoom(factor, timeAt(position(event)));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, { x: position(event), y: event.clientY, moved: 0 });
      if (state.editing)
        grab(timeAt(position(event)), canvas);
    });
    canvas.addEventListener("pointermove", (event) => {
      const last2 = pointers.get(event.pointerId);
      if (!last2)
        return;
      const [x, y] = [position(event), event.clientY];
      last2.moved += Math.abs(x - last2.x) + Math.abs(y - last2.y);
      if (state.editing && plot.dragged)
        drag(timeAt(x));
      else if (pointers.size === 2)
        pinch(pointers, event.pointerId, x, timeAt);
      else if (isMap())
        moveMap(plot, x - last2.x, y - last2.y);
      else {
        const step2 = (last2.x - x) / scales(plot, canvas.clientWidth, 340).inner * (plot.to - plot.from);
        setRange(plot.from + step2, plot.to + step2);
      }
      last2.x = x;
      last2.y = y;
    });
    const end = (event) => {
      const last2 = pointers.get(event.pointerId);
      pointers.delete(event.pointerId);
      if (plot.dragged) {
        drop();
        return;
      }
      if (!last2 || last2.moved >= 4 || state.editing)
        return;
      if (isMap())
        selectOnMap2(positionIn(canvas, event));
      else
        select2(timeAt(last2.x), canvas);
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("dblclick", (event) => {
      if (state.editing)
        addLabel(timeAt(position(event)));
    });
  }
  function pinch(pointers, moving, x, timeAt) {
    const other = [...pointers].find(([id]) => id !== moving)[1];
    const last2 = pointers.get(moving);
    const [was, is] = [Math.abs(last2.x - other.x), Math.abs(x - other.x)];
    if (was > 10 && is > 10)
      zoom(was / is, timeAt((x + other.x) / 2));
  }

  // Sources/Page/Script/map.js
  function drawMap(map = { ...plot, path: model.traces[runOf().trace].true_path }) {
    const { context, width, height } = prepared(map.canvas, 420);
    const { latitudes, longitudes, accuracies, times } = map.signal;
    const valid = [];
    for (let index = 0; index < times.length; index += 1) {
      if (Number.isFinite(latitudes[index]) && Number.isFinite(longitudes[index]) && !(accuracies[index] < 0))
        valid.push(index);
    }
    if (!valid.length) {
      context.fillStyle = color("--quiet");
      context.fillText("No valid fix.", 12, 20);
      return;
    }
    const middle = (column) => {
      let [low, high2] = [Infinity, -Infinity];
      for (const index of valid) {
        low = Math.min(low, column[index]);
        high2 = Math.max(high2, column[index]);
      }
      return [low, high2];
    };
    const [south, north] = middle(latitudes);
    const [west, east] = middle(longitudes);
    const metres = 111194.9;
    const narrow = Math.cos((south + north) / 2 * (Math.PI / 180));
    const [wide, high] = [(east - west) * metres * narrow + 20, (north - south) * metres + 20];
    const scale = Math.min((width - 40) / wide, (height - 50) / high) * map.zoom;
    const across = (longitude) => width / 2 + map.shift[0] + (longitude - (west + east) / 2) * metres * narrow * scale;
    const upward = (latitude) => height / 2 + map.shift[1] - (latitude - (south + north) / 2) * metres * scale;
    const [x, y] = [(index) => across(longitudes[index]), (index) => upward(latitudes[index])];
    context.strokeStyle = color("--threshold");
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    for (const place of map.places) {
      context.beginPath();
      context.arc(across(place.longitude), upward(place.latitude), Math.max(place.radius * scale, 2), 0, 7);
      context.stroke();
    }
    context.setLineDash([]);
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    if (valid.length < 2e3 || map.zoom > 4) {
      for (const index of valid) {
        const radius = accuracies[index] * scale;
        if (!(radius > 3) || radius > width)
          continue;
        context.beginPath();
        context.arc(x(index), y(index), radius, 0, 7);
        context.stroke();
      }
    }
    drawTruePath(context, across, upward, map.path);
    const used = map.uses && valid.some((index) => map.uses[index] === "a") ? valid.filter((index) => map.uses[index] === "a") : valid;
    context.strokeStyle = color("--hit");
    context.lineWidth = 1.6;
    context.beginPath();
    used.forEach((index, place) => place ? context.lineTo(x(index), y(index)) : context.moveTo(x(index), y(index)));
    context.stroke();
    drawRejected(context, x, y, valid, map.uses);
    drawOnMap(context, x, y, map);
    const unit = 10 ** Math.floor(Math.log10(140 / scale));
    const length = [5, 2, 1].map((factor) => factor * unit).find((one) => one * scale <= 140);
    context.fillStyle = color("--ink");
    context.fillRect(16, height - 18, length * scale, 2);
    context.fillText(length >= 1e3 ? `${length / 1e3} km` : `${length} m`, 16, height - 24);
  }
  function drawTruePath(context, across, upward, path) {
    if (!path)
      return;
    context.strokeStyle = color("--truth");
    context.lineWidth = 8;
    context.lineJoin = "round";
    context.beginPath();
    for (let place = 0; place < path.length; place += 2)
      context.lineTo(across(path[place + 1]), upward(path[place]));
    context.stroke();
  }
  function drawRejected(context, x, y, valid, uses) {
    if (!uses)
      return;
    context.strokeStyle = color("--quiet");
    context.lineWidth = 1.5;
    context.beginPath();
    for (const index of valid) {
      if (uses[index] !== "r")
        continue;
      context.moveTo(x(index) - 3, y(index));
      context.lineTo(x(index) + 3, y(index));
      context.moveTo(x(index), y(index) - 3);
      context.lineTo(x(index), y(index) + 3);
    }
    context.stroke();
  }
  var readUses = async () => isMap() && canRun(runOf()) ? core.uses(runOf(), valuesOf(runOf(), state)).catch(without({})) : {};
  function mapLegend() {
    const box = byId("map-legend");
    box.hidden = !(plot.signal && plot.signal.latitudes);
    if (box.hidden)
      return;
    const count = (use2) => [...plot.uses || ""].filter((one) => one === use2).length;
    const part = (name, text) => make("span", {}, make("i", { className: name }), text);
    const fixes = plot.uses ? `${count("a")} accepted fixes` : "fixes";
    box.replaceChildren(...[
      model.traces[runOf().trace].true_path ? part("truth", "true path") : null,
      part("fixes", fixes),
      count("r") ? part("rejected", `+ ${counted(count("r"), "rejected fix").replace("fixs", "fixes")}`) : null,
      count("s") ? part("", `${count("s")} skipped: in a pause, or too near`) : null
    ].filter(Boolean));
  }
  function drawOnMap(context, x, y, map) {
    const { times } = map.signal;
    const at = (time) => {
      const index = Math.min(firstAtLeast(times, time), times.length - 1);
      return [x(index), y(index)];
    };
    if (map.events) {
      drawEventsOnMap(context, at, map.events);
      return;
    }
    plot.onMap = at;
    if (!plot.result)
      return;
    if (!plot.result.isScored) {
      context.fillStyle = color("--ink");
      context.textAlign = "left";
      const kept = [];
      const { clientWidth: width, clientHeight: height } = context.canvas;
      plot.result.onsets.forEach((onset, index) => {
        const [left, top] = at(onset);
        if (left < 0 || left > width || top < 0 || top > height)
          return;
        if (kept.some((one) => Math.abs(one[0] - left) < 56 && Math.abs(one[1] - top) < 16))
          return;
        kept.push([left, top]);
        context.fillRect(left - 3, top - 3, 6, 6);
        const name = distanceName(plot.result.peaks[index]);
        const long = context.measureText(name).width + 6;
        context.fillText(name, left + long > width ? left - long : left + 6, top + 4);
      });
      return;
    }
    plot.result.onsets.forEach((onset, index) => {
      const [left, top] = at(onset);
      if (plot.result.outcomes[index] === 0)
        dot(context, left, top, 5);
      else if (plot.result.outcomes[index] !== 3)
        cross(context, left, top, 5);
    });
    plot.result.references.forEach((outcome, index) => {
      if (outcome === 1 && plot.labels[index])
        ring(context, ...at(plot.labels[index].onset / 1e9));
    });
    if (plot.chosen && isSet(plot.chosen.time)) {
      context.strokeStyle = color("--ink");
      context.lineWidth = 2;
      context.beginPath();
      context.arc(...at(plot.chosen.time), 12, 0, 7);
      context.stroke();
    }
  }
  function drawEventsOnMap(context, at, events) {
    const taken = [];
    context.textAlign = "left";
    context.lineJoin = "round";
    for (const event of events) {
      const [left, top] = at(event.at);
      dot(context, left, top, event === plot.chosen ? 6 : 4);
      if (event === plot.chosen) {
        context.strokeStyle = color("--ink");
        context.lineWidth = 2;
        context.stroke();
      }
      if (event !== plot.chosen && taken.some(([x, y]) => Math.abs(x - left) < 70 && Math.abs(y - top) < 13))
        continue;
      taken.push([left, top]);
      context.strokeStyle = color("--paper");
      context.lineWidth = 4;
      context.strokeText(event.kind, left + 7, top + 4);
      context.fillStyle = color("--ink");
      context.fillText(event.kind, left + 7, top + 4);
    }
  }

  // Sources/Page/Script/overview.js
  var title = () => model.comparison ? comparedTitle() : model.title === "command line" && model.entries.length ? `${model.entries[0].name} on ${counted(model.traces.length, "trace")}` : model.title;
  function comparedTitle() {
    const { base, head } = model.comparison;
    const areAlike = lastPart(base) === lastPart(head);
    return areAlike ? `${base} → ${head}` : `${lastPart(base)} → ${lastPart(head)}`;
  }
  var uselessModule = () => core.own && !model.entries.some((entry) => entry.detector === core.own.name) ? make("p", { className: "warning" }, `The module of this page was built with ${core.own.name}, which no run here uses.`) : "";
  var faultLines = () => [...core.faults.values()].map((text) => make("p", {}, text));
  function faults() {
    byId("faults")?.replaceChildren(...faultLines());
  }
  var rateName = (entry) => entry.task === "visit" ? "false_visits_per_hour" : "false_alarms_per_hour";
  var figure = (entry, name) => entry.figures.find((one) => one.name === name) || { name };
  function interval(one, text, more = "") {
    return make(
      "td",
      { className: `number${more}` },
      text(one.value),
      isSet(one.lower) ? make("small", {}, ` (${text(one.lower)}–${text(one.upper)})`) : null,
      ...(one.was || []).map((line) => make("small", {}, make("br"), line))
    );
  }
  function compared(entry, name, text) {
    const one = figure(entry, name);
    const other = entry.differences.find((difference) => difference.name === name);
    if (!model.comparison || !other || !isSet(other.base))
      return one;
    const signed = (value) => (value < 0 ? "−" : "+") + text(Math.abs(value));
    const change2 = other.head - other.base;
    return { ...one, was: [`was ${text(other.base)}`, ...change2 === 0 ? [] : [signed(change2) + (isSet(other.lower) ? ` (${signed(other.lower)} to ${signed(other.upper)})` : "")]] };
  }
  function comparisonVerdict(entry) {
    const sum = { found: 0, lost: 0, more: 0, fewer: 0 };
    let without2 = 0;
    for (const index of entry.runs) {
      const flip = filedFlips(model.runs[index]);
      if (!flip)
        without2 += model.runs[index].before ? 0 : 1;
      else
        for (const name of Object.keys(sum))
          sum[name] += flip[name];
    }
    const scored = entry.runs.some((index) => model.runs[index].stored);
    return [
      scored ? `${flipWords(sum) || "Nothing has changed"}.` : "",
      without2 ? `${counted(without2, "trace")} cannot be compared.` : ""
    ].filter(Boolean).join(" ");
  }
  var verdict = (entry) => words(entry) + (entry.diagnosis ? ` Why: ${entry.diagnosis}${entry.diagnosis.endsWith("?") ? "" : "."}` : "");
  function words(entry) {
    const changes2 = model.comparison && hasFlips() ? comparisonVerdict(entry) : "";
    if (changes2)
      return changes2;
    const value = (name) => figure(entry, name).value;
    const rates = value(rateName(entry));
    if (isSet(value("query_accuracy"))) {
      const half = isSet(value("detection_time_p50")) ? `half of the departures are found within ${fixed(value("detection_time_p50"), 1)} s` : "most departures are not found";
      return `${counted(value("mistakes") || 0, "mistake")}; ${half}; present people are trusted for ${fixed(100 * value("query_accuracy"), 1)} % of the time.`;
    }
    if (isSet(value("distance_error_bias"))) {
      return `Distance ${fixed(value("distance_error_bias"), 1)} %, time ${fixed(value("moving_time_error_bias"), 1)} % off.`;
    }
    const [hits, misses] = [value("true_positives"), value("false_negatives")];
    const [worst, other] = byKind(entry, "activity");
    const most = other && worst.alarms > 0 && worst.name ? `, worst in ${worst.name} (${rate(worst.alarms / worst.hours)})` : "";
    if (!hits && !misses) {
      return isSet(rates) ? `${rate(rates)} false alarms per hour${most}; no references.` : "No reference.";
    }
    return `Finds ${hits} of ${hits + misses}${isSet(rates) ? `; ${rate(rates)} false alarms per hour${most}` : ""}.`;
  }
  function byKind(entry, kind) {
    const groups2 = /* @__PURE__ */ new Map();
    for (const index of entry.runs) {
      const run = model.runs[index];
      if (!isSet(run.hours))
        continue;
      const name = model.traces[run.trace][kind];
      const sum = groups2.get(name) || { name, alarms: 0, hours: 0, hits: 0, misses: 0 };
      sum.alarms += run.false_alarms;
      sum.hours += run.hours;
      sum.hits += run.hits;
      sum.misses += run.misses;
      groups2.set(name, sum);
    }
    return [...groups2.values()].sort((a, b) => b.alarms / (b.hours || 1) - a.alarms / (a.hours || 1));
  }
  function overview() {
    const hasEvents = model.entries.some((entry) => isSet(figure(entry, "recall").value) || isSet(figure(entry, rateName(entry)).value));
    const rows = model.entries.map((entry, index) => {
      const name = make("button", { className: "link", onclick: () => actions.choose(index) }, entry.name);
      return make(
        "tr",
        { "aria-current": String(state.app === null && index === state.entry) },
        make("th", { scope: "row" }, name, make("br"), make("small", {}, `${entry.origin}, ${counted(entry.runs.length, "trace")}`)),
        ...hasEvents ? [
          interval(compared(entry, "recall", share), share),
          interval(figure(entry, "recall").value === void 0 ? { name: "precision" } : compared(entry, "precision", share), share, " wide"),
          interval(compared(entry, rateName(entry), rate), rate)
        ] : [],
        make("td", { className: hasEvents ? "wide" : "" }, verdict(entry))
      );
    });
    return make(
      "section",
      {},
      make("div", { id: "faults", className: "warning", role: "alert" }, ...faultLines()),
      !model.entries.length ? null : make("div", { className: "scroll overview" }, make(
        "table",
        {},
        make("thead", {}, make(
          "tr",
          {},
          make("th", { scope: "col" }, "Detector"),
          ...(hasEvents ? ["Recall", "Precision", "False alarms/h"] : []).map((text) => make("th", {
            scope: "col",
            className: text === "Precision" ? "number wide" : "number"
          }, text)),
          make("th", { scope: "col", className: hasEvents ? "wide" : "" }, "In words")
        )),
        make("tbody", {}, ...rows)
      )),
      appLinks(),
      !model.entries.length || !hasEvents ? null : make("p", { className: "quiet" }, `In brackets: 95 % intervals, ${model.is_for_new_people ? "for new people where there are enough" : "for these people"}. Recorded and simulated traces are never pooled.`)
    );
  }
  function appLinks() {
    if (!model.apps.length)
      return null;
    return make("p", {}, "Apps: ", ...model.apps.flatMap((app, index) => [
      index ? " · " : "",
      make(
        "button",
        { className: "link", "aria-current": String(state.app === index), onclick: () => actions.chooseApp(index) },
        app.name
      ),
      app.headline ? make("small", {}, ` ${app.headline}`) : ""
    ]));
  }
  function groups(entry) {
    const table = (title2, kind) => {
      const rows = byKind(entry, kind);
      if (rows.length < 2)
        return null;
      const most = Math.max(...rows.map((row) => row.alarms / (row.hours || 1)), 1e-9);
      return make("div", {}, make("h2", {}, title2), make(
        "table",
        { className: "bars" },
        make("thead", {}, make(
          "tr",
          {},
          make("th", {}, kind === "subject" ? "Person" : "Activity"),
          make("th", { className: "number" }, "Found"),
          make("th", { className: "number" }, "False alarms/h"),
          make("th", {})
        )),
        make("tbody", {}, ...rows.map((row) => {
          const bar = make("div", { className: "bar" });
          bar.style.width = `${100 * row.alarms / (row.hours || 1) / most}%`;
          const found = row.hits + row.misses ? `${row.hits} of ${row.hits + row.misses}` : "–";
          return make(
            "tr",
            {},
            make("td", {}, row.name || "not stated"),
            number(found),
            number(rate(row.alarms / (row.hours || 1)), `${row.alarms} in ${fixed(row.hours, 3)} h`),
            make("td", {}, bar)
          );
        }))
      ));
    };
    const parts = [table("By activity", "activity"), table("By person", "subject")].filter(Boolean);
    return parts.length ? make(
      "details",
      {},
      make("summary", {}, "False alarms by activity and person"),
      ...parts
    ) : null;
  }

  // Sources/Page/Script/apps.js
  var [LANE, THIN_LANE] = [92, 44];
  var laneHeight = (lane) => lane.levels ? LANE : THIN_LANE;
  function drawApp() {
    if (!plot.canvas || !plot.lanes)
      return;
    const height = AREA.top + AREA.bottom + plot.lanes.reduce((sum, lane) => sum + laneHeight(lane), 0);
    const { context, width } = prepared(plot.canvas, height);
    const { x, inner } = scales(plot, width, height);
    context.save();
    context.beginPath();
    context.rect(AREA.left - 8, 0, inner + 16, height);
    context.clip();
    let top = AREA.top;
    for (const lane of plot.lanes) {
      drawLane(context, lane, x, inner, top);
      top += laneHeight(lane);
    }
    context.restore();
    context.fillStyle = color("--quiet");
    context.textAlign = "center";
    const time = steps(plot.from, plot.to, Math.max(2, width / 110));
    for (const mark of time.marks) {
      if (x(mark) > AREA.left + 12)
        context.fillText(`${mark.toFixed(time.digits)} s`, Math.min(x(mark), width - 18), height - 7);
    }
    if (plot.map)
      drawMap(plot.map);
  }
  function drawLane(context, lane, x, inner, top) {
    const bottom = top + laneHeight(lane) - 8;
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(AREA.left, bottom);
    context.lineTo(AREA.left + inner, bottom);
    context.stroke();
    if (lane.levels) {
      const { times } = lane.signal;
      const y = (value) => bottom - value / lane.top * (LANE - 34);
      let start = firstAtLeast(times, plot.from - lane.start);
      context.strokeStyle = color("--signal");
      context.beginPath();
      for (let pixel = 0; pixel < inner; pixel += 1) {
        const until = plot.from + (pixel + 1) / inner * (plot.to - plot.from) - lane.start;
        const end = Math.max(start, firstAtLeast(times, until));
        if (end > start) {
          const [low, high] = extremes(lane.levels, start, end);
          context.moveTo(AREA.left + pixel + 0.5, y(low));
          context.lineTo(AREA.left + pixel + 0.5, y(high) - 0.5);
        }
        start = end;
      }
      context.stroke();
    }
    context.font = "bold 12px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillStyle = color("--ink");
    context.fillText(lane.name, AREA.left + 4, top + 2);
    context.font = "12px system-ui, sans-serif";
    drawEvents(context, lane.events.filter(({ at }) => at >= plot.from && at <= plot.to), x, AREA.left + inner, top + 18);
  }
  function drawEvents(context, events, x, right, y) {
    for (const event of events) {
      dot(context, x(event.at), y, event === plot.chosen ? 6 : 4);
      if (event === plot.chosen) {
        context.strokeStyle = color("--ink");
        context.lineWidth = 2;
        context.stroke();
      }
    }
    context.fillStyle = color("--ink");
    events.forEach((event, place) => {
      const [at, wide] = [x(event.at), context.measureText(event.kind).width + 12];
      const [before2, after] = [place ? x(events[place - 1].at) : -Infinity, place + 1 < events.length ? x(events[place + 1].at) : Infinity];
      if (at + wide < Math.min(after - 4, right))
        context.fillText(event.kind, at + 8, y + 4);
      else if (at + wide >= right && at - wide > before2 + 4)
        context.fillText(event.kind, at - wide + 2, y + 4);
    });
  }
  async function loadLane(app, person, index) {
    const lane = {
      name: person.name,
      start: person.start,
      signal: null,
      levels: null,
      top: 1,
      places: [],
      events: plot.events.filter((event) => event.person === index)
    };
    if (!isSet(person.trace) || !isSet(app.number) || !model.traces[person.trace].data)
      return lane;
    lane.signal = await core.signal(person.trace, app.number).catch(without(null));
    if (!lane.signal)
      return lane;
    lane.places = await core.places(person.trace).catch(without([]));
    const { values, latitudes, times } = lane.signal;
    if (latitudes || !times.length || !values.some((value) => Number.isFinite(value) && value > 0))
      return lane;
    lane.levels = pyramid(values);
    const last2 = lane.levels[lane.levels.length - 1];
    lane.top = Math.max(1, ...last2.high.filter((value) => Number.isFinite(value)));
    return lane;
  }
  function pickMap(place) {
    const lane = plot.lanes[place];
    plot.map = {
      canvas: byId("app-map"),
      signal: {
        ...lane.signal,
        times: lane.signal.times.map((time) => time + lane.start)
      },
      places: lane.places,
      zoom: 1,
      shift: [0, 0],
      uses: null,
      path: model.traces[model.apps[state.app].people[place].trace].true_path,
      events: lane.events
    };
    plot.mapPerson = place;
    actions.draw();
  }
  function showEvent(place) {
    const event = plot.lanes && plot.events[place];
    if (!event) {
      if (plot.lanes)
        say("No further event.");
      return;
    }
    update({ error: place });
    plot.chosen = event;
    if (event.at < plot.from || event.at > plot.to) {
      const length = plot.to - plot.from;
      setRange(event.at - length / 2, event.at + length / 2);
    }
    if (plot.map && plot.mapPerson !== event.person && plot.lanes[event.person].signal) {
      byId("map-person").value = event.person;
      pickMap(event.person);
    }
    say(`${event.at.toFixed(1)} s: ${plot.lanes[event.person].name} ${event.text}`);
    actions.draw();
    elementsOf("#errors [data-error]").forEach((row) => row.setAttribute("aria-current", String(Number(row.dataset.error) === place)));
  }
  function selectEvent(time, canvas) {
    const near = (plot.to - plot.from) * 8 / canvas.clientWidth;
    const found = plot.events.findIndex((event) => Math.abs(event.at - time) < near);
    if (found >= 0)
      showEvent(found);
  }
  function outcomeTable(app) {
    const heads = [...app.people.map(({ name }) => name), ...app.outcomes.some(({ cells }) => cells[cells.length - 1]) ? ["all"] : []];
    return make("details", {}, make("summary", {}, `Outcome${app.headline ? `: ${app.headline}` : ""}`), make(
      "div",
      { className: "scroll outcomes" },
      make(
        "table",
        { className: "narrow" },
        make("thead", {}, make(
          "tr",
          {},
          make("th", { scope: "col" }, ""),
          ...heads.map((head) => make("th", { scope: "col", className: "number" }, head))
        )),
        make("tbody", {}, ...app.outcomes.map((row) => make(
          "tr",
          {},
          make(
            "th",
            { scope: "row" },
            row.name,
            row.unit ? make("small", {}, ` ${row.unit}`) : null
          ),
          ...heads.map((_, place) => number(row.cells[place]))
        )))
      )
    ));
  }
  async function chooseApp(index) {
    forgetRedraws();
    const generation = enterApp(index);
    const app = model.apps[index];
    const events = app.events.map((event) => ({ ...event, at: event.time })).sort((a, b) => a.at - b.at);
    Object.assign(plot, { events, chosen: null, dragged: null, signal: null, lanes: null, map: null });
    plot.canvas = make("canvas", {
      tabIndex: 0,
      role: "img",
      id: "plot",
      "aria-label": "A lane for each person with the events, which are listed below"
    });
    listen(plot.canvas, { select: selectEvent });
    const map = make("canvas", { id: "app-map", role: "img", "aria-label": "The path of this person with the events" });
    listenToMap(map);
    const rows = events.map((event, place) => make(
      "tr",
      { "data-error": place },
      make("td", { className: "number" }, make("button", { className: "link", onclick: () => showEvent(place) }, `${event.at.toFixed(1)} s`)),
      make("td", {}, app.people[event.person] ? app.people[event.person].name : ""),
      make("td", {}, event.kind),
      make("td", {}, event.text)
    ));
    byId("app").replaceChildren(
      make("h1", {}, title()),
      overview(),
      make("h2", {}, `App ${app.name}`),
      make("p", {}, app.summary),
      make("p", { className: "quiet" }, [
        app.network && `Network: ${app.network}`,
        app.script && `people: ${app.script}`
      ].filter(Boolean).join("; ")),
      plot.canvas,
      make(
        "div",
        { className: "row controls" },
        make("button", { onclick: () => showEvent(state.error - 1) }, "Previous event (p)"),
        make("button", { onclick: () => showEvent(state.error + 1) }, "Next event (n)"),
        make("button", { onclick: () => zoom(0.5) }, "+"),
        make("button", { onclick: () => zoom(2) }, "−"),
        make("button", { onclick: showWhole }, "Whole (0)")
      ),
      make("p", { id: "message", role: "status", "aria-live": "polite" }, " "),
      make(
        "div",
        { id: "map-box", hidden: true },
        make(
          "div",
          { className: "row controls" },
          make("label", { htmlFor: "map-person" }, "Map of"),
          make(
            "select",
            { id: "map-person", onchange: (event) => pickMap(Number(event.target.value)) },
            ...app.people.map(({ name }, place) => make("option", { value: place }, name))
          ),
          .../** @type {const} */
          [["+", 0.5], ["−", 2]].map(([name, factor]) => make("button", {
            "aria-label": factor < 1 ? "zoom in on the map" : "zoom out of the map",
            onclick: () => {
              if (plot.map)
                zoomMap(plot.map, factor);
            }
          }, name))
        ),
        map
      ),
      outcomeTable(app),
      make(
        "details",
        { open: true },
        make("summary", {}, counted(events.length, "event")),
        make("div", { className: "events" }, make("table", { id: "errors" }, make("tbody", {}, ...rows)))
      )
    );
    const lanes = [];
    for (const [place, person] of app.people.entries()) {
      lanes.push(await loadLane(app, person, place));
      if (generation !== state.generation)
        return;
    }
    const ends = lanes.map((lane) => lane.signal && lane.signal.times.length ? lane.start + lane.signal.times[lane.signal.times.length - 1] : 0);
    plot.whole = Math.max(1, ...ends, ...events.map((event) => event.at));
    Object.assign(plot, { lanes, from: 0, to: plot.whole });
    const first = lanes.findIndex((lane) => lane.signal && lane.signal.latitudes);
    byId("map-box").hidden = first < 0;
    if (first >= 0) {
      byId("map-person").value = first;
      pickMap(first);
    } else
      actions.draw();
  }

  // Sources/Page/Script/parameters.js
  function change(index, value) {
    changeField(index, value);
    actions.recompute();
  }
  function fieldRow(field, index) {
    const value = valuesOf(runOf(), state)[index];
    const label = make(
      "label",
      { htmlFor: `field-${index}`, title: field.summary },
      field.name,
      field.unit ? make("small", {}, ` ${field.unit}`) : null
    );
    if (field.kind === "flag") {
      const box2 = make("input", {
        type: "checkbox",
        id: `field-${index}`,
        checked: value !== 0,
        onchange: () => change(index, box2.checked ? 1 : 0)
      });
      return [label, box2, make("span")];
    }
    if (field.kind === "choice") {
      const box2 = make(
        "select",
        { id: `field-${index}`, onchange: () => change(index, Number(box2.value)) },
        ...field.choices.map((name, place) => make("option", { value: place, selected: place === value }, name))
      );
      return [label, box2, make("span")];
    }
    const curve2 = index === entryOf().threshold ? runOf().curve : null;
    const [low, high] = curve2 ? [curve2.thresholds[0], curve2.upper] : sliderRange(field, value);
    const taken = async (next) => curve2 && !curve2.is_exact ? curve2.thresholds[Math.max(await core.step(curve2, next), 0)] : next;
    const box = make("input", {
      type: "number",
      id: `field-${index}`,
      value: shown(value, field),
      step: "any",
      min: field.low,
      max: field.high
    });
    const slider = make("input", {
      type: "range",
      min: low,
      max: high,
      step: (high - low) / 400,
      value,
      "aria-label": field.name,
      oninput: async () => {
        const next = await taken(Number(Number(slider.value).toPrecision(4)));
        box.value = shown(next, field);
        change(index, next);
      }
    });
    box.onchange = async () => {
      const [least, most] = curve2 ? [low, high] : [field.low, field.high];
      if (box.value === "" || !(Number(box.value) >= least && Number(box.value) <= most)) {
        say(`${field.name}: expected ${least} to ${most}`);
        return;
      }
      const next = await taken(Number(box.value));
      slider.value = next;
      change(index, next);
    };
    return [label, slider, box];
  }
  function sliderRange(field, value) {
    const reach = Math.max(Math.abs(value) * 2, (field.high - field.low) / 1e3);
    return [Math.max(field.low, value - reach), Math.min(field.high, value + reach)];
  }
  function parameters() {
    const entry = entryOf();
    const box = byId("parameters");
    if (!hasFigures(runOf())) {
      box.replaceChildren();
      return;
    }
    const main = isSet(entry.threshold) ? entry.threshold : -1;
    if (!entry.runs.some((index) => canRun(model.runs[index]))) {
      box.replaceChildren(
        make("div", { className: "fields" }, ...fieldRow(entry.fields[main], main)),
        make("div", { className: "row controls" }, make("button", { onclick: () => use(null) }, "As it was run"))
      );
      return;
    }
    const rows = entry.fields.map((field, index) => field.kind === "profiles" ? [] : fieldRow(field, index));
    const presets = entry.presets.map((preset, index) => make("button", {
      title: preset.summary,
      "aria-pressed": String(state.preset === index),
      onclick: () => use(index)
    }, preset.name));
    box.replaceChildren(
      make(
        "div",
        { className: "row controls" },
        make("span", { className: "quiet" }, "Preset"),
        ...presets,
        make("button", { onclick: () => use(null) }, "As it was run"),
        make("button", { onclick: copy }, "Copy as --parameters")
      ),
      make("div", { className: "fields" }, ...main >= 0 ? rows[main] : []),
      make(
        "details",
        { open: main < 0 },
        make("summary", {}, "All parameters"),
        make("div", { className: "fields" }, ...rows.flatMap((row, index) => index === main ? [] : row))
      )
    );
  }
  function use(preset) {
    usePreset(preset);
    parameters();
    actions.recompute();
  }
  function copy() {
    const [entry, run] = [entryOf(), runOf()];
    const named = state.preset === null ? entry.presets.findIndex(({ name }) => name === entry.preset) : state.preset;
    const preset = named >= 0 ? run.presets[named] || entry.presets[named].values : [];
    const exact = (value, field) => field.kind === "number" ? String(value) : shown(value, field);
    const parts = valuesOf(run, state).flatMap((value, index) => isSet(value) && value !== preset[index] ? [`${entry.fields[index].name}=${exact(value, entry.fields[index])}`] : []);
    const text = `--detector ${entry.detector}${named >= 0 ? `/${entry.presets[named].name}` : ""}` + (parts.length ? ` --parameters ${parts.join(",")}` : "");
    const done = () => say(`Copied: ${text}`);
    if (navigator.clipboard)
      navigator.clipboard.writeText(text).then(done, () => say(text));
    else
      say(text);
  }

  // Sources/Page/Script/curve-picture.js
  var HOW_TO_POINT = "Point at the line to read a threshold; click to use it.";
  function drawCurve(canvas, points, here, field, plateau) {
    redraws.curve = () => drawCurve(canvas, points, here, field, plateau);
    const { context, width, height } = prepared(canvas, 260);
    const presets = points.presets.filter((one) => one.isWhole);
    const all = [...points.line, ...presets, here].filter((one) => isSet(one.rate) && isSet(one.recall) && one.recall >= 0.5);
    if (!all.length) {
      context.fillStyle = color("--quiet");
      context.fillText("No threshold here finds half of the references.", 12, 20);
      canvas.onclick = canvas.onpointermove = null;
      return;
    }
    const most = Math.max(10, ...all.map((one) => one.rate));
    const least = Math.min(0.9, ...all.map((one) => one.recall)) - 0.01;
    const [left, bottom] = [44, height - 34];
    const x = (value) => left + Math.log10(1 + value) / Math.log10(1 + most) * (width - left - 70);
    const y = (value) => bottom - (value - least) / (1.02 - least) * (bottom - 18);
    context.fillStyle = color("--quiet");
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    context.textAlign = "center";
    for (const mark of [0, 1, 10, 100, 1e3, 1e4].filter((one) => one <= most)) {
      context.beginPath();
      context.moveTo(x(mark), 8);
      context.lineTo(x(mark), bottom);
      context.stroke();
      context.fillText(String(mark), x(mark), bottom + 14);
    }
    context.fillText("false alarms per hour", (left + width) / 2, height - 4);
    context.textAlign = "right";
    for (const mark of steps(least, 1, 4).marks) {
      context.beginPath();
      context.moveTo(left, y(mark));
      context.lineTo(width - 70, y(mark));
      context.stroke();
      context.fillText(mark.toFixed(2), left - 6, y(mark) + 4);
    }
    context.textAlign = "left";
    context.fillText("recall", 4, 10);
    if (state.budget <= most) {
      context.strokeStyle = color("--threshold");
      context.lineWidth = 1.5;
      context.setLineDash([6, 4]);
      context.beginPath();
      context.moveTo(x(state.budget), 8);
      context.lineTo(x(state.budget), bottom);
      context.stroke();
      context.setLineDash([]);
    }
    context.save();
    context.beginPath();
    context.rect(left, 0, width - left, bottom);
    context.clip();
    if (plateau) {
      context.strokeStyle = color("--hit");
      context.globalAlpha = 0.3;
      context.lineWidth = 12;
      context.lineCap = "round";
      context.lineJoin = "round";
      context.beginPath();
      for (const one of plateau.points)
        context.lineTo(x(one.rate), y(one.recall));
      context.stroke();
      context.lineCap = "butt";
      context.globalAlpha = 1;
      const middle = plateau.points[plateau.points.length >> 1];
      context.fillStyle = color("--quiet");
      context.textAlign = "right";
      context.fillText("plateau", x(middle.rate) - 4, y(middle.recall) - 10);
    }
    context.strokeStyle = color("--signal");
    context.lineWidth = 2;
    context.beginPath();
    const mostOfNone = Math.max(...points.line.filter((one) => one.rate === 0).map((one) => one.recall));
    points.line.filter((one) => one.rate > 0 || one.recall === mostOfNone).forEach((one, place) => place ? context.lineTo(x(one.rate), y(one.recall)) : context.moveTo(x(one.rate), y(one.recall)));
    context.stroke();
    context.restore();
    const taken = [];
    for (const one of presets.filter(({ recall }) => recall >= least)) {
      context.fillStyle = color("--ink");
      context.fillRect(x(one.rate) - 3, y(one.recall) - 3, 6, 6);
      let at = y(one.recall) + 4;
      const wide = context.measureText(one.name).width + 9;
      const isLast = x(one.rate) + wide > width;
      const [from, to] = isLast ? [x(one.rate) - wide, x(one.rate)] : [x(one.rate), x(one.rate) + wide];
      while (taken.some((other) => Math.abs(other.at - at) < 12 && from < other.to && other.from < to))
        at += 12;
      taken.push({ from, to, at });
      context.textAlign = isLast ? "right" : "left";
      context.strokeStyle = color("--paper");
      context.lineWidth = 4;
      context.lineJoin = "round";
      context.strokeText(one.name, x(one.rate) + (isLast ? -7 : 7), at);
      context.fillText(one.name, x(one.rate) + (isLast ? -7 : 7), at);
    }
    context.fillStyle = color("--hit");
    context.beginPath();
    context.arc(x(here.rate), y(here.recall), 6, 0, 7);
    context.fill();
    pointOut(canvas, points.line.map((one) => ({ ...one, at: [x(one.rate), y(one.recall)] })), field);
  }
  function pointOut(canvas, line, field) {
    const text = byId("curve-at");
    const near = (event) => {
      const box = canvas.getBoundingClientRect();
      const far = ({ at }) => Math.hypot(at[0] - (event.clientX - box.left), at[1] - (event.clientY - box.top));
      const best = line.reduce((least, one) => least && far(least) <= far(one) ? least : one, null);
      return best && far(best) < 30 ? best : null;
    };
    const show2 = (one) => {
      canvas.style.cursor = one ? "pointer" : "";
      text.textContent = one ? `${field.name} ${Number(one.value.toPrecision(4))}: recall ${share(one.recall)}, ${rate(one.rate)} false alarms per hour` : HOW_TO_POINT;
    };
    canvas.onpointermove = (event) => show2(near(event));
    canvas.onpointerleave = () => show2(null);
    canvas.onclick = (event) => {
      const one = near(event);
      if (!one)
        return;
      change(entryOf().threshold, one.value);
      parameters();
    };
  }

  // Sources/Page/Script/curve.js
  var curves = /* @__PURE__ */ new Map();
  async function curve(generation, usable) {
    const entry = entryOf();
    const canvas = byId("curve");
    const box = byId("curve-box");
    if (!isSet(entry.threshold)) {
      box.hidden = true;
      return;
    }
    box.hidden = false;
    const others = [...state.changes].filter(([index]) => index !== entry.threshold);
    const key = JSON.stringify([state.entry, state.preset, others, state.edits]);
    const points = curves.get(key) || { line: [], presets: [] };
    curves.set(key, points);
    const base = valuesOf(model.runs[usable[0]], { ...state, changes: /* @__PURE__ */ new Map() })[entry.threshold];
    const field = entry.fields[entry.threshold];
    const point = async (settings, compute = (index) => computed(model.runs[index], settings)) => {
      const results = /* @__PURE__ */ new Map();
      let isWhole = true;
      for (const index of usable) {
        const result = await compute(index);
        if (!result)
          isWhole = false;
        else if (result.isScored)
          results.set(index, result);
        if (generation !== state.generation)
          return null;
      }
      const [recall, , alarms] = await core.estimates(sumsByPerson(results));
      if (generation !== state.generation)
        return null;
      const counts2 = new Map([...results].map(([index, { hits, misses, alarms: wrong, hours }]) => [index, [hits, misses, wrong, hours]]));
      return { recall: recall.value, rate: alarms.value, isWhole, counts: counts2 };
    };
    const at = async (value) => {
      const one = await point({ ...state, changes: new Map([...others, [entry.threshold, value]]) });
      return one && { ...one, value };
    };
    const here = await point(state, now);
    if (!here)
      return;
    if (!isSet(here.recall)) {
      box.hidden = true;
      return;
    }
    const isCurrent = () => generation === state.generation;
    const redraw = async () => {
      const plateau = await plateauOf(points.line);
      if (isCurrent())
        drawCurve(canvas, points, here, field, plateau);
    };
    await redraw();
    const tried = usable.map((index) => model.runs[index].curve).find((one) => one && !one.is_exact);
    const [low, high] = sliderRange(field, base);
    const values = tried ? tried.thresholds : Array.from({ length: 21 }, (_, place) => clamp(
      base > 0 ? place === 10 ? base : short(base * 2 ** ((place - 10) / 6)) : short(low + (high - low) * place / 20),
      field.low,
      field.high
    ));
    for (let place = points.line.length; place < values.length; place += 1) {
      const one = await at(values[place]);
      if (!one)
        return;
      points.line.push(one);
      await redraw();
    }
    for (const preset of entry.presets.slice(points.presets.length)) {
      const one = await point({ preset: points.presets.length, changes: /* @__PURE__ */ new Map() });
      if (!one)
        return;
      points.presets.push({ ...one, name: preset.name });
      await redraw();
    }
    const find = async () => {
      await redraw();
      await refine(points, tried ? null : at, redraw, async () => {
        const [choice, plateau] = [await choiceOf(points.line), await plateauOf(points.line)];
        if (isCurrent())
          withinBudget(choice, plateau, field);
      });
    };
    redraws.budget = find;
    await find();
  }
  async function refine(points, at, redraw, show2) {
    const { budget } = state;
    for (let round = 0; at && round < 8; round += 1) {
      const edge = points.line.findIndex((one2, place) => place > 0 && one2.rate <= budget !== points.line[place - 1].rate <= budget);
      if (edge < 0 || points.line[edge].value / points.line[edge - 1].value < 1.002)
        break;
      const one = await at(short((points.line[edge].value + points.line[edge - 1].value) / 2));
      if (!one || budget !== state.budget)
        return;
      points.line.splice(edge, 0, one);
      await redraw();
    }
    await show2();
    await redraw();
    if (at && await widen(points, at)) {
      await show2();
      await redraw();
    }
  }
  async function widen(points, at) {
    const { budget } = state;
    for (let round = 0; round < 12; round += 1) {
      const plateau = await plateauOf(points.line);
      if (!plateau)
        return false;
      const first = points.line.indexOf(plateau.points[0]);
      const pair = [[first - 1, first], [first + plateau.points.length - 1, first + plateau.points.length]].map((places) => places.map((place) => points.line[place])).filter(([low, high]) => low && high).find(([low, high]) => high.value / low.value > 1.01);
      if (!pair)
        break;
      const one = await at(short((pair[0].value + pair[1].value) / 2));
      if (!one || budget !== state.budget)
        return false;
      points.line.splice(points.line.indexOf(pair[1]), 0, one);
    }
    return true;
  }
  async function choiceOf(line) {
    const rising = line.filter((one, place) => place === 0 || one.value > line[place - 1].value);
    if (!rising.length)
      return null;
    const shared = [...rising[0].counts.keys()].filter((run) => rising.every((one) => one.counts.has(run)));
    const people = [...new Set(shared.map(personOf))];
    const recordings = shared.map((run) => {
      const [hits, misses, , hours] = rising[0].counts.get(run);
      const column = (place) => rising.map((one) => one.counts.get(run)[place]);
      return { person: people.indexOf(personOf(run)), hours, references: hits + misses, hits: column(0), alarms: column(2) };
    });
    return core.choice(state.budget, rising.map(({ value }) => value), recordings).catch(without(null));
  }
  async function plateauOf(line) {
    const choice = await choiceOf(line);
    if (!choice)
      return null;
    const points = line.filter(({ value }) => value >= choice.lower && value <= choice.upper);
    return points.length > 1 ? { points, least: choice.least } : null;
  }
  function withinBudget(choice, plateau, field) {
    byId("within").textContent = choice ? `recall ${share(choice.recall)}` : "none here";
    byId("within-more").textContent = choice ? `${field.name} ${short(choice.best)}, ${rate(choice.rate)} per hour${plateau ? `; plateau ${short(plateau.points[0].value)} to ${short(plateau.points[plateau.points.length - 1].value)}, recall from ${share(plateau.least)}` : ""}` : "";
  }

  // Sources/Page/Script/delays.js
  async function drawDelays(results) {
    const box = byId("delay-box");
    const all = [...results.values()].flatMap((result) => [...result.delays]).sort((a, b) => a - b);
    const missed = [...results.values()].reduce((sum, result) => sum + result.misses, 0);
    box.hidden = all.length < 2;
    const again = () => drawDelays(results);
    redraws.delays = again;
    box.ontoggle = again;
    if (box.hidden || !box.open)
      return;
    const [first, half, most90, last2] = await core.percentiles(all);
    if (redraws.delays !== again)
      return;
    const unit = Math.abs(most90) < 0.1 ? 3 : Math.abs(most90) < 10 ? 2 : 0;
    const text = (time) => `${fixed(time, unit).replace("-", "−")} s`;
    byId("delay-text").textContent = `Of ${counted(all.length, "hit")}: half within ${text(half)} of the reference, p90 ${text(most90)}, p99 ${text(last2)}; ${counted(missed, "reference")} missed.`;
    const { context, width, height } = prepared(byId("delays"), 200);
    const [left, right, bottom] = [44, width - 12, height - 34];
    const span = last2 - first;
    const [from, to] = [Math.min(first - 0.1 * span, 0), last2 + 0.15 * span + 1e-3];
    const x = (time) => left + (clamp(time, from, to) - from) / (to - from) * (right - left);
    const y = (part) => bottom - part * (bottom - 16);
    const bins = new Array(Math.min(40, Math.max(8, Math.floor(Math.sqrt(all.length))))).fill(0);
    for (const time of all) {
      bins[clamp(Math.floor((time - from) / (to - from) * bins.length), 0, bins.length - 1)] += 1;
    }
    const most = Math.max(...bins);
    context.fillStyle = color("--chosen");
    bins.forEach((count, place) => {
      const [start, end] = [place, place + 1].map((at) => left + at / bins.length * (right - left));
      context.fillRect(start + 0.5, y(0.9 * count / most), Math.max(end - start - 1, 1), bottom - y(0.9 * count / most));
    });
    axes(context, { x, y, left, right, bottom, times: steps(from, to, Math.max(2, width / 130)), shares: [0, 0.5, 1] });
    context.textAlign = "center";
    context.fillText("from the reference to the report, s", (left + right) / 2, height - 4);
    context.textAlign = "left";
    context.fillText("share of all references reported within the delay (bars: histogram)", left, 10);
    context.strokeStyle = color("--hit");
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x(from), y(0));
    all.forEach((time, place) => {
      context.lineTo(x(time), y(place / (all.length + missed)));
      context.lineTo(x(time), y((place + 1) / (all.length + missed)));
    });
    context.lineTo(x(to), y(all.length / (all.length + missed)));
    context.stroke();
  }
  function confusionTable(results) {
    const box = byId("confusion");
    const sums = /* @__PURE__ */ new Map();
    const [rows, columns] = [/* @__PURE__ */ new Set(), /* @__PURE__ */ new Set()];
    for (const { confusion } of results.values()) {
      confusion.classes.forEach((row, at) => confusion.classes.forEach((column, place) => {
        const count = confusion.counts[at * confusion.classes.length + place];
        if (!count)
          return;
        rows.add(row);
        columns.add(column);
        const key = JSON.stringify([row, column]);
        sums.set(key, (sums.get(key) || 0) + count);
      }));
    }
    if (columns.size < 2) {
      box.replaceChildren();
      return;
    }
    const inOrder = (names) => [...names].sort();
    const name = (text) => text || "no class";
    box.replaceChildren(make("details", {}, make("summary", {}, "Hits by class"), make(
      "div",
      { className: "scroll" },
      make(
        "table",
        { className: "narrow" },
        make("thead", {}, make(
          "tr",
          {},
          make("th", { scope: "col" }, "Reference \\ detected"),
          ...inOrder(columns).map((column) => make("th", { scope: "col", className: "number" }, name(column)))
        )),
        make("tbody", {}, ...inOrder(rows).map((row) => make(
          "tr",
          {},
          make("th", { scope: "row" }, name(row)),
          ...inOrder(columns).map((column) => number(String(sums.get(JSON.stringify([row, column])) || 0)))
        )))
      )
    )));
  }

  // Sources/Page/Script/list.js
  function errorsOf(run) {
    if (!model.comparison)
      return (run.misses || 0) + (run.false_alarms || 0);
    const flip = filedFlips(run);
    return flip ? flipCount(flip) : -1;
  }
  var sorted = () => [...entryOf().runs].sort((a, b) => weight(model.runs[b]) - weight(model.runs[a]) || errorsOf(model.runs[b]) - errorsOf(model.runs[a]) || a - b);
  var weight = (run) => state.order === "errors" ? errorsOf(run) : countsOf(run)[state.order === "first" ? 0 : 1] ?? -1;
  var countsOf = (run) => {
    if (!model.comparison)
      return [run.misses, run.false_alarms];
    const flip = filedFlips(run);
    return flip ? [flip.found + flip.fewer, flip.lost + flip.more] : [null, null];
  };
  function list() {
    const isCounted = entryOf().runs.some((index) => isSet(model.runs[index].misses) || isSet(model.runs[index].false_alarms));
    const rows = sorted().map((index) => {
      const run = model.runs[index];
      const trace = model.traces[run.trace];
      const open = make("button", { className: "link", onclick: () => actions.openRun(index) }, trace.id);
      return make(
        "tr",
        { "aria-current": String(index === state.run), "data-run": index },
        make(
          "td",
          {},
          open,
          make("br"),
          make("small", {}, [trace.activity, trace.subject].filter(Boolean).join(" · "))
        ),
        ...isCounted ? countCells(run) : []
      );
    });
    return make("div", { className: "list", id: "list" }, make(
      "table",
      {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Trace"), ...isCounted ? (model.comparison ? ["Better", "Worse"] : ["Missed", "False"]).map((text, place) => ordering(
        text,
        place ? "second" : "first",
        state.order,
        "errors",
        (order) => {
          update({ order });
          byId("list").replaceWith(list());
        },
        "number"
      )) : [])),
      make("tbody", {}, ...rows)
    ));
  }
  function countCells(run) {
    if (model.comparison) {
      const flip = filedFlips(run);
      if (!flip)
        return [number("–"), number("–")];
      return countsOf(run).map((count) => number(String(count), flipWords(flip)));
    }
    return [run.misses, run.false_alarms].map((count) => number(isSet(count) ? String(count) : "–"));
  }

  // Sources/Page/Script/errors.js
  var known = /* @__PURE__ */ new WeakMap();
  var changed = () => known.get(plot.result) ?? [];
  async function readChanges(result) {
    const old = model.comparison && baseOf(runOf());
    if (!old || !result || !result.isScored)
      return;
    known.set(result, changesOf(await core.flips(runOf(), old, result).catch(without(null)), old, result));
  }
  function changesOf(flip, old, result) {
    if (!flip)
      return [];
    const reference = (kind) => (index) => plot.labels[index] ? [{
      time: plot.labels[index].onset / 1e9,
      kind,
      label: index,
      text: plot.labels[index].label
    }] : [];
    const alarm = (kind, side) => (place) => ({ time: side.onsets[place], kind, text: "" });
    return [
      ...flip.found.flatMap(reference("now found")),
      ...flip.lost.flatMap(reference("now missed")),
      ...flip.more.map(alarm("new false alarm", result)),
      ...flip.fewer.map(alarm("false alarm gone", old))
    ].sort((a, b) => a.time - b.time);
  }
  function errors() {
    const { result } = plot;
    if (!result || !result.isScored)
      return [];
    if (state.walksChanges)
      return changed();
    const found = [];
    result.references.forEach((outcome, index) => {
      if (outcome === 1 && plot.labels[index])
        found.push({
          time: plot.labels[index].onset / 1e9,
          kind: "missed",
          label: index,
          text: plot.labels[index].label
        });
    });
    result.onsets.forEach((onset, index) => {
      if (result.outcomes[index] === 1 || result.outcomes[index] === 2)
        found.push({
          time: onset,
          kind: result.outcomes[index] === 2 ? "duplicate" : "false alarm",
          detection: index,
          size: result.peaks[index],
          text: isSet(result.peaks[index]) ? `${result.peaks[index].toFixed(1)}` : ""
        });
    });
    return found.sort((a, b) => a.time - b.time);
  }
  var jumping = Promise.resolve();
  function jump(opening2, direction) {
    jumping = jumping.then(opening2).then(() => jumpNow(direction)).catch((error) => say(error.message));
  }
  async function jumpNow(direction) {
    const all = errors();
    const next = state.error + direction;
    if (next >= 0 && next < all.length) {
      show(next);
      return;
    }
    const order = sorted();
    const { view } = state;
    for (let place = order.indexOf(state.run) + direction; place >= 0 && place < order.length; place += direction) {
      if (!isDrawn(model.runs[order[place]]) || !await hasErrors(order[place])) {
        if (view !== state.view)
          return;
        continue;
      }
      if (view !== state.view)
        return;
      await actions.openRun(order[place]);
      if (state.run === order[place] && plot.result)
        show(direction > 0 ? 0 : errors().length - 1);
      return;
    }
    say(state.walksChanges ? "No further change." : "No further error.");
  }
  async function hasErrors(index) {
    const run = model.runs[index];
    const result = canRun(run) ? await now(index) : resultAsStored(run);
    if (!result || !result.isScored)
      return false;
    if (state.walksChanges)
      return Boolean(run.before) && flipCount(countFlips(await core.flips(run, baseOf(run), result))) > 0;
    return result.references.includes(1) || result.outcomes.some((outcome) => outcome === 1 || outcome === 2);
  }
  function show(index) {
    const one = errors()[index];
    if (!one)
      return;
    update({ error: index });
    plot.chosen = one;
    const length = Math.min(8, plot.whole);
    setRange(one.time - length / 2, one.time + length / 2);
    describe(one);
    elementsOf("#errors [data-error]").forEach((row) => row.setAttribute("aria-current", String(Number(row.dataset.error) === index)));
  }
  function describe(one) {
    say(`${one.kind} at ${one.time.toFixed(3)} s${one.text ? `, ${one.text}` : ""} in ${model.traces[runOf().trace].id}`);
  }
  function select(time, canvas) {
    const near = (plot.to - plot.from) * 8 / canvas.clientWidth;
    const all = errors();
    const place = all.findIndex((one) => Math.abs(one.time - time) < near);
    if (place >= 0) {
      show(place);
      return;
    }
    const { result } = plot;
    const hit = result ? result.onsets.findIndex((onset) => Math.abs(onset - time) < near) : -1;
    if (hit >= 0) {
      say(`hit at ${result.onsets[hit].toFixed(3)} s, reported ${(result.emitted[hit] - result.onsets[hit]).toFixed(2)} s later` + (isSet(result.peaks[hit]) ? `, ${result.peaks[hit].toFixed(1)}` : ""));
    }
  }
  function selectOnMap([left, top]) {
    if (!plot.onMap)
      return;
    const far = errors().map((one) => {
      const [x, y] = plot.onMap(one.time);
      return Math.hypot(x - left, y - top);
    });
    const place = far.indexOf(Math.min(...far));
    if (place >= 0 && far[place] < 14)
      show(place);
  }
  function errorList() {
    const all = errors();
    const sizes = state.errorOrder === "size" && all.some((one) => isSet(one.size));
    const order = [...all.keys()];
    if (sizes)
      order.sort((a, b) => (all[b].size ?? -1) - (all[a].size ?? -1) || a - b);
    const rows = order.slice(0, 400).map((index) => make(
      "tr",
      { "data-error": index },
      make("td", {}, make("button", { className: "link", onclick: () => show(index) }, `${all[index].time.toFixed(3)} s`)),
      make("td", {}, all[index].kind),
      make("td", {}, all[index].text)
    ));
    const head = make("thead", {}, make(
      "tr",
      {},
      make("th", { scope: "col" }, "Time"),
      make("th", { scope: "col" }, "Error"),
      all.some((one) => isSet(one.size)) ? ordering("Size", "size", state.errorOrder, "time", (by) => {
        update({ errorOrder: by });
        errorList();
      }) : make("th", { scope: "col" }, "")
    ));
    const box = byId("errors");
    box.replaceChildren(rows.length ? make("table", {}, head, make("tbody", {}, ...rows)) : make("p", { className: "quiet" }, plot.result && plot.result.isScored ? `No ${state.walksChanges ? "change" : "error"} in this trace.` : "No list here: the errors are in the table above, or there is no reference."));
  }
  function walkSwitch() {
    if (!model.comparison)
      return null;
    const pick = make("select", { className: "of-events", "aria-label": "what to go through", onchange: () => {
      walkThrough(pick.value === "changes");
      plot.chosen = null;
      nameWalk();
      errorList();
      actions.draw();
    } }, ...["changes", "errors"].map((name) => make("option", {
      value: name,
      selected: name === "changes" === state.walksChanges
    }, name)));
    return pick;
  }
  function nameWalk() {
    const word = state.walksChanges ? "change" : "error";
    byId("previous").textContent = `Previous ${word} (p)`;
    byId("next").textContent = `Next ${word} (n)`;
    byId("errors-title").textContent = `${word === "change" ? "Changes" : "Errors"} of this trace`;
  }

  // Sources/Page/Script/figures.js
  async function recompute() {
    const generation = nextGeneration();
    forgetCurrent();
    if (canRun(runOf())) {
      const index = state.run;
      const result = await now(index);
      if (generation !== state.generation)
        return;
      if (index === state.run && plot.signal) {
        await readChanges(result);
        const uses = await readUses();
        if (generation !== state.generation)
          return;
        if (index === state.run) {
          Object.assign(plot, { result, ...uses });
          errorList();
          mapLegend();
        }
      }
    }
    actions.draw();
    await total(generation);
  }
  async function total(generation) {
    const usable = entryOf().runs.filter((index) => hasFigures(model.runs[index]));
    const [results, old, tracks] = [/* @__PURE__ */ new Map(), /* @__PURE__ */ new Map(), /* @__PURE__ */ new Map()];
    let without2 = 0;
    for (const index of usable) {
      try {
        const result = await now(index);
        if (generation !== state.generation)
          return;
        if (!result) {
          without2 += 1;
          continue;
        }
        if (result.isScored)
          results.set(index, result);
        if (result.track.length)
          tracks.set(index, result.track);
        const was = isChanged() || model.comparison ? await before(index) : null;
        if (was && !was.isCounted)
          old.set(index, was);
      } catch (error) {
        if (generation !== state.generation)
          return;
        say(`${model.traces[model.runs[index].trace].id}: ${error.message}`);
        return;
      }
      if (generation !== state.generation)
        return;
      if (results.size % 8 === 0)
        say(`${results.size} of ${usable.length} traces …`);
    }
    const note = without2 ? `${counted(without2, "trace")} left out: only the threshold can be changed there.` : "";
    if (!results.size) {
      forget();
      distances(tracks, old);
      say(note);
      if (isChanged() && !tracks.size && !note)
        say("The page does not compute the figures of this detector: those above are from the run.");
      return;
    }
    say(note);
    const estimates = await core.estimates(sumsByPerson(results));
    const flips = await flipsOf(results, old);
    if (generation !== state.generation)
      return;
    counts(estimates, results);
    changes(results, old, flips);
    const found = new Map([...results].filter(([, result]) => !result.isCounted));
    drawDelays(found);
    confusionTable(found);
    redraws.budget = null;
    await curve(generation, usable);
  }
  function distances(tracks, old) {
    if (!tracks.size)
      return;
    const percent = (measured, truth) => {
      const error = 100 * (measured / truth - 1);
      return isSet(error) ? `${error < 0 ? "−" : "+"}${Math.abs(error).toFixed(2)}` : "–";
    };
    const heads = [
      "Distance, m",
      "True",
      "Error, %",
      ...old.size ? [model.comparison ? "Base, %" : "As run, %"] : [],
      "Moving time, s",
      "Error, %"
    ];
    byId("counts").replaceChildren(make("div", { className: "scroll" }, make(
      "table",
      {},
      make("thead", {}, make(
        "tr",
        {},
        make("th", { scope: "col" }, "Trace"),
        ...heads.map((head) => make("th", { scope: "col", className: "number" }, head))
      )),
      make("tbody", {}, ...[...tracks].map(([index, [distance, truth, time, trueTime]]) => make(
        "tr",
        {},
        make("th", { scope: "row" }, model.traces[model.runs[index].trace].id),
        number(fixed(distance, 0)),
        number(fixed(truth, 0)),
        number(percent(distance, truth)),
        ...old.size ? [number(old.has(index) ? percent(old.get(index).track[0], truth) : "–")] : [],
        number(fixed(time, 0)),
        number(percent(time, trueTime))
      )))
    )));
  }
  function forget() {
    for (const id of ["counts", "flips", "confusion"])
      byId(id).replaceChildren();
    for (const id of ["curve-box", "delay-box"])
      byId(id).hidden = true;
  }
  function counts(estimates, results) {
    const sum = (name) => [...results.values()].reduce((total_, result) => total_ + result[name], 0);
    const part = (title2, text, one) => make(
      "div",
      {},
      make("small", {}, title2),
      make("br"),
      make("b", {}, text(one.value)),
      isSet(one.lower) ? make("small", {}, ` ${text(one.lower)}–${text(one.upper)}`) : null
    );
    byId("counts").replaceChildren(
      part(`Recall: ${sum("hits")} of ${sum("hits") + sum("misses")}`, share, estimates[0]),
      part("Precision", share, estimates[1]),
      part(`False alarms/h: ${sum("alarms")}`, rate, estimates[2])
    );
  }
  async function flipsOf(results, old) {
    const flips = [];
    for (const [index, was] of old) {
      const is = results.get(index);
      if (is && !is.isCounted)
        flips.push([index, countFlips(await core.flips(model.runs[index], was, is))]);
    }
    return flips;
  }
  function changes(results, old, flips) {
    const box = byId("flips");
    const rows = [];
    const all = { found: 0, lost: 0, more: 0, fewer: 0 };
    for (const [index, flip] of flips) {
      for (const name of Object.keys(all))
        all[name] += flip[name];
      if (flipCount(flip))
        rows.push([index, flip]);
    }
    const against = model.comparison ? "Compared with the base" : "Changed";
    const some = results.size > old.size ? ` in ${old.size} of ${counted(results.size, "trace")} with all readings in the page` : "";
    box.replaceChildren(
      ...old.size ? [make("p", {}, `${against}${some}: ${flipWords(all) || "nothing"}.`)] : [],
      ...rows.length ? [make(
        "details",
        {},
        make("summary", {}, `In ${counted(rows.length, "trace")}`),
        make("ul", { className: "flips" }, ...rows.map(([index, flip]) => make(
          "li",
          {},
          make("button", { className: "link", onclick: () => actions.openRun(index) }, model.traces[model.runs[index].trace].id),
          ` ${flipWords(flip)}`
        )))
      )] : []
    );
  }

  // Sources/Page/Script/plot.js
  function draw() {
    if (state.app !== null) {
      drawApp();
      return;
    }
    if (!plot.canvas || !plot.signal)
      return;
    if (plot.signal.latitudes) {
      drawMap();
      return;
    }
    const { context, width, height } = prepared(plot.canvas, 340);
    const { x, y, inner } = scales(plot, width, height);
    const bottom = height - AREA.bottom;
    context.save();
    context.beginPath();
    context.rect(AREA.left, 0, inner, height);
    context.clip();
    for (const [from, to] of plot.zones)
      hatch(context, x(from), x(to), AREA.top, bottom);
    context.fillStyle = color("--zone");
    for (const [from, to] of plot.gaps)
      context.fillRect(x(from), AREA.top, Math.max(1, x(to) - x(from)), bottom - AREA.top);
    drawReferences(context, x, bottom);
    const flipped = changed();
    drawFlips(context, x, bottom, flipped);
    drawSignal(context, x, y, inner);
    drawThreshold(context, y, width);
    drawDetections(context, x, y);
    nameFlips(context, x, width, flipped);
    context.restore();
    drawAxes(context, x, y, width, bottom);
  }
  function drawFlips(context, x, bottom, all) {
    context.fillStyle = color("--flip");
    context.globalAlpha = 0.7;
    for (const { time } of all)
      context.fillRect(x(time) - 5, AREA.top, 10, bottom - AREA.top);
    context.globalAlpha = 1;
  }
  function nameFlips(context, x, width, all) {
    const seen = all.filter(({ time }) => time >= plot.from && time <= plot.to);
    if (seen.length > 12)
      return;
    context.fillStyle = color("--ink");
    context.textAlign = "center";
    context.strokeStyle = color("--paper");
    context.lineWidth = 4;
    context.lineJoin = "round";
    let last2 = -Infinity;
    for (const { time, kind } of seen) {
      if (x(time) - last2 < 100)
        continue;
      last2 = x(time);
      const at = clamp(last2, AREA.left + 50, width - 58);
      context.strokeText(kind, at, AREA.top + 12);
      context.fillText(kind, at, AREA.top + 12);
    }
  }
  function drawReferences(context, x, bottom) {
    const run = runOf();
    const [early, late] = [run.tolerance_early || 0, run.tolerance_late || 0];
    const first = firstLabel(plot.from - late);
    const lines = { "--quiet": /* @__PURE__ */ new Set(), "--hit": /* @__PURE__ */ new Set(), "--miss": /* @__PURE__ */ new Set() };
    let covered = -Infinity;
    context.fillStyle = color("--chosen");
    for (let index = first; index < plot.labels.length; index += 1) {
      const [onset, offset] = [plot.labels[index].onset / 1e9, plot.labels[index].offset / 1e9];
      if (onset - early > plot.to)
        break;
      const [from, to] = [Math.max(covered, x(onset - early)), x(offset + late)];
      if (to > from) {
        context.fillRect(from, AREA.top, Math.max(1, to - from), bottom - AREA.top);
        covered = to;
      }
      const outcome = plot.result && plot.result.references[index];
      lines[outcome === void 0 || outcome === null ? "--quiet" : outcome === 1 ? "--miss" : "--hit"].add(Math.round(x(onset)));
    }
    for (const [name, places] of Object.entries(lines)) {
      context.strokeStyle = color(name);
      context.lineWidth = 1;
      context.beginPath();
      for (const at of places) {
        context.moveTo(at, AREA.top);
        context.lineTo(at, bottom);
      }
      context.stroke();
    }
    for (const at of lines["--miss"])
      ring(context, at, 14);
    const chosen2 = chosenLabel();
    if (chosen2) {
      context.strokeStyle = color("--ink");
      context.lineWidth = 3;
      context.beginPath();
      context.moveTo(x(chosen2.onset / 1e9), AREA.top);
      context.lineTo(x(chosen2.onset / 1e9), bottom);
      context.stroke();
    }
  }
  function firstLabel(time) {
    let first = firstAtLeast(plot.labelTimes, time);
    while (first > 0 && plot.labels[first - 1].offset / 1e9 >= time)
      first -= 1;
    return first;
  }
  function drawSignal(context, x, y, inner) {
    const { times } = plot.signal;
    const [first, last2] = [
      Math.max(0, firstAtLeast(times, plot.from) - 1),
      Math.min(times.length, firstAtLeast(times, plot.to) + 1)
    ];
    context.strokeStyle = color("--signal");
    context.lineWidth = 1;
    context.beginPath();
    if (last2 - first < 3 * inner) {
      let gap = true;
      for (let index = first; index < last2; index += 1) {
        if (index > first && times[index] - times[index - 1] > 3 * plot.interval)
          gap = true;
        if (gap)
          context.moveTo(x(times[index]), y(plot.signal.values[index]));
        else
          context.lineTo(x(times[index]), y(plot.signal.values[index]));
        gap = false;
      }
    } else {
      let start = first;
      for (let pixel = 0; pixel < inner; pixel += 1) {
        const until = plot.from + (pixel + 1) / inner * (plot.to - plot.from);
        const end = Math.max(start, Math.min(last2, firstAtLeast(times, until)));
        if (end > start) {
          const [low, high] = extremes(plot.levels, start, end);
          context.moveTo(AREA.left + pixel + 0.5, y(low));
          context.lineTo(AREA.left + pixel + 0.5, y(high) - 0.5);
        }
        start = end;
      }
    }
    context.stroke();
  }
  function drawThreshold(context, y, width) {
    const field = entryOf().threshold;
    if (!isSet(field) || entryOf().fields[field].unit !== "m/s2")
      return;
    const value = valuesOf(runOf(), state)[field];
    context.strokeStyle = color("--threshold");
    context.lineWidth = 1.5;
    context.setLineDash([6, 4]);
    context.beginPath();
    context.moveTo(AREA.left, y(value));
    context.lineTo(width, y(value));
    context.stroke();
    context.setLineDash([]);
  }
  function drawDetections(context, x, y) {
    const { result } = plot;
    if (!result)
      return;
    const seen = /* @__PURE__ */ new Set();
    result.onsets.forEach((onset, index) => {
      if (onset < plot.from || onset > plot.to)
        return;
      const at = [x(onset), y(Math.min(valueNear(onset), plot.top))];
      const place = `${Math.round(at[0])} ${Math.round(at[1])} ${result.outcomes[index]}`;
      if (seen.has(place))
        return;
      seen.add(place);
      const outcome = result.outcomes[index];
      if (outcome === 0 || outcome === void 0) {
        dot(context, at[0], at[1], 4);
      } else if (outcome !== 3)
        cross(context, at[0], at[1], outcome === 2 ? 3 : 5);
    });
  }
  function valueNear(time) {
    const { times, values } = plot.signal;
    if (!times.length)
      return 0;
    const place = firstAtLeast(times, time);
    return values[Math.min(place, values.length - 1)];
  }
  function drawAxes(context, x, y, width, bottom) {
    context.fillStyle = color("--quiet");
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    context.textAlign = "center";
    const time = steps(plot.from, plot.to, Math.max(2, width / 110));
    for (const mark of time.marks) {
      if (x(mark) > AREA.left + 12)
        context.fillText(`${mark.toFixed(time.digits)} s`, Math.min(x(mark), width - 18), bottom + 15);
    }
    const { unit } = entryOf();
    if (!unit)
      return;
    context.textAlign = "right";
    const value = steps(0, plot.top, 4);
    for (const mark of value.marks)
      context.fillText(mark.toFixed(value.digits), AREA.left - 6, y(mark) + 4);
    context.textAlign = "left";
    context.fillText(unit === "m/s2" ? "m/s²" : unit, 4, 12);
  }

  // Sources/Page/Script/workbench.js
  var opening = Promise.resolve();
  function openRun(index) {
    if (state.app !== null || model.runs[index].entry !== state.entry)
      return opening;
    opening = openNow(index);
    return opening;
  }
  async function openNow(index) {
    const view = enterRun(index);
    Object.assign(plot, { chosen: null, result: null, signal: null, events: null, labels: [], labelTimes: [] });
    const run = model.runs[index];
    const trace = model.traces[run.trace];
    byId("trace-title").textContent = trace.id;
    byId("trace-facts").textContent = [
      trace.activity,
      trace.subject && `person ${trace.subject}`,
      trace.device,
      lasting(trace.seconds)
    ].filter(Boolean).join(" · ");
    elementsOf("#list [data-run]").forEach((row) => row.setAttribute("aria-current", String(Number(row.dataset.run) === index)));
    parameters();
    byId("why").textContent = "";
    if (!isDrawn(run)) {
      prepared(plot.canvas, 60);
      say(trace.data ? "The page does not draw the readings of this detector: see the figures above." : "The page does not have the readings of this trace: make it with --full-data.");
      errorList();
      return;
    }
    if (!core.open.has(run.trace))
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
    if (view !== state.view)
      return;
    const [signal, labels, zones, places] = await Promise.all([
      core.signal(run.trace, entryOf().number).catch(without(null)),
      core.labels(run.trace, entryOf().task).catch(without(null)),
      core.zones(run.trace).catch(without([])),
      core.places(run.trace).catch(without([]))
    ]);
    if (view !== state.view)
      return;
    if (!signal || !labels) {
      prepared(plot.canvas, 60);
      elementsOf(".of-events, .of-labels").forEach((part) => {
        part.hidden = true;
      });
      errorList();
      return;
    }
    Object.assign(plot, {
      signal,
      labels,
      labelTimes: [],
      zones,
      places,
      uses: usesOf(run),
      whole: Math.max(trace.seconds, 0.2),
      zoom: 1,
      shift: [0, 0],
      from: 0
    });
    plot.to = plot.whole;
    plot.labelTimes = plot.labels.map((label) => label.onset / 1e9);
    const { times, values } = plot.signal;
    plot.levels = pyramid(values);
    const intervals = Float64Array.from({ length: Math.min(times.length - 1, 2e3) }, (_, place) => times[place + 1] - times[place]).sort();
    plot.interval = trace.whole ? intervals[intervals.length >> 1] || 1 : 2 * trace.seconds / times.length;
    plot.gaps = [];
    for (let place = 1; place < times.length; place += 1) {
      if (times[place] - times[place - 1] > 3 * plot.interval)
        plot.gaps.push([times[place - 1], times[place]]);
    }
    const last2 = plot.levels[plot.levels.length - 1];
    plot.top = Math.max(1, ...last2.high.filter((value) => Number.isFinite(value))) * 1.06;
    plot.median = Float32Array.from(values.slice(0, 5e3)).sort()[Math.min(values.length, 5e3) >> 1] || 0;
    if (times.length > 5e5) {
      actions.draw();
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      if (view !== state.view)
        return;
    }
    let [generation, result] = [-1, null];
    while (generation !== state.generation) {
      generation = state.generation;
      result = canRun(run) ? await now(index) : resultAsStored(run);
      if (view !== state.view)
        return;
    }
    await readChanges(result);
    const uses = await readUses();
    if (view !== state.view)
      return;
    Object.assign(plot, { result, ...uses });
    const isScored = Boolean(plot.result && plot.result.isScored);
    elementsOf(".of-events").forEach((part) => {
      part.hidden = !isScored;
    });
    elementsOf(".of-labels").forEach((part) => {
      part.hidden = !canLabel(run);
    });
    if (state.editing && !canLabel(run))
      setEditing(false);
    mapLegend();
    byId("why").textContent = canRun(run) ? "" : whyStored(run, trace);
    actions.draw();
    errorList();
    labelForm();
  }
  function whyStored(run, trace) {
    const { unlike, refused } = entryOf();
    const why = refused || (unlike ? `This program detects something else than the file has, on ${counted(unlike, "run")}` : trace.whole ? "This detector does not run in the page" : `Drawn from ${trace.drawn.toLocaleString("en")} of ${trace.readings.toLocaleString("en")} readings (all: --full-data)`);
    return `${why}${run.stored ? ": the errors are those of the run" : ""}.${run.curve ? " The figures below follow the threshold, from a sweep." : ""}`;
  }
  function workbench() {
    plot.canvas = make("canvas", {
      tabIndex: 0,
      role: "img",
      id: "plot",
      "aria-label": "The signal with references and detections; the errors are listed below"
    });
    listen(plot.canvas, { select, selectOnMap });
    const edit = make("button", {
      className: "of-labels",
      id: "edit",
      "aria-pressed": "false",
      onclick: () => setEditing(!state.editing)
    }, "Edit labels");
    const legend = (kind, text) => make("span", {}, sign(kind), text);
    return make("section", { className: "workbench" }, list(), make(
      "div",
      {},
      make("h2", { id: "trace-title" }, " "),
      make("p", { className: "quiet", id: "trace-facts" }, " "),
      plot.canvas,
      make("div", { className: "legend", id: "map-legend", hidden: true }),
      make(
        "div",
        { className: "legend of-events" },
        legend("hit", "found"),
        legend("miss", "missed"),
        legend("alarm", "false alarm"),
        make("span", { className: "of-labels" }, "band: tolerance around a reference"),
        model.comparison ? make("span", {}, make("i", { className: "flip" }), "changed") : null
      ),
      make(
        "div",
        { className: "row controls" },
        walkSwitch(),
        make("button", { className: "of-events", id: "previous", onclick: () => visit(-1) }),
        make("button", { className: "of-events", id: "next", onclick: () => visit(1) }),
        make("button", { onclick: () => zoom(0.5) }, "+"),
        make("button", { onclick: () => zoom(2) }, "−"),
        make("button", { onclick: showWhole }, "Whole (0)"),
        edit
      ),
      make("p", { id: "why", className: "quiet" }),
      make("p", { id: "message", role: "status", "aria-live": "polite" }, " "),
      make("div", { id: "labels" }),
      make("div", { className: "counts", id: "counts" }),
      make("div", { id: "flips" }),
      make("div", { id: "parameters" }),
      make(
        "div",
        { id: "curve-box", hidden: true },
        make("h2", {}, "Recall against false alarms, all traces"),
        make(
          "div",
          { className: "row controls" },
          make("label", { htmlFor: "budget" }, "At most"),
          make("input", { type: "number", id: "budget", min: 0, step: "any", value: state.budget, onchange: ({ target }) => {
            const value = Number(target.value);
            if (target.value === "" || !Number.isFinite(value) || value < 0) {
              say("Budget: expected 0 or more false alarms per hour");
              target.value = state.budget;
              return;
            }
            update({ budget: value });
            if (redraws.budget)
              redraws.budget();
          } }),
          make("span", {}, "false alarms per hour:"),
          make("b", { id: "within" }),
          make("span", { id: "within-more", className: "quiet" })
        ),
        make("canvas", { id: "curve", className: "still", role: "img", "aria-label": "Curve of recall against false alarms per hour; the large dot is the current threshold" }),
        make("p", { id: "curve-at", className: "quiet" }, HOW_TO_POINT)
      ),
      make(
        "details",
        { id: "delay-box", hidden: true },
        make("summary", {}, "Delays, all traces"),
        make("p", { id: "delay-text" }),
        make("canvas", {
          id: "delays",
          className: "still",
          role: "img",
          "aria-label": "Histogram of the delays of hits, and the share of all references reported within a delay"
        })
      ),
      make("div", { id: "confusion" }),
      make(
        "details",
        { open: true },
        make("summary", { id: "errors-title" }),
        make("div", { className: "errors", id: "errors" })
      )
    ));
  }
  var visit = (direction) => jump(() => opening, direction);
  async function choose(index) {
    forgetRedraws();
    const view = enterEntry(index);
    const app = byId("app");
    const entry = entryOf();
    for (const one of model.entries)
      await adopt(one);
    if (view !== state.view)
      return;
    const isOnly = model.entries.length === 1;
    app.replaceChildren(
      make("h1", {}, title()),
      uselessModule(),
      overview(),
      isOnly ? "" : make("h2", {}, entry.name),
      isOnly ? "" : make("p", {}, verdict(entry)),
      groups(entry) || "",
      workbench()
    );
    nameWalk();
    const first = sorted().find((run2) => isDrawn(model.runs[run2]));
    const run = first === void 0 ? entry.runs[0] : first;
    await openRun(run);
    if (state.app === null && entryOf() === entry)
      await recompute();
  }

  // Sources/Page/Script/main.js
  Object.assign(actions, { draw, recompute, openRun, choose, chooseApp });
  function step(direction) {
    if (state.app !== null)
      showEvent(state.error + direction);
    else
      visit(direction);
  }
  document.addEventListener("keydown", (event) => {
    const { tagName, type } = (
      /** @type {HTMLInputElement} */
      event.target
    );
    const isSlider = type === "range" && ["n", "p"].includes(event.key);
    if (["INPUT", "SELECT", "TEXTAREA"].includes(tagName) && type !== "checkbox" && !isSlider || event.altKey)
      return;
    if (!byId("plot"))
      return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") {
      undo();
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey)
      return;
    const keys = {
      n: () => step(1),
      p: () => step(-1),
      "+": () => zoom(0.5),
      "-": () => zoom(2),
      0: showWhole,
      ArrowLeft: () => pan(-0.25),
      ArrowRight: () => pan(0.25)
    };
    if (isMap())
      Object.assign(keys, { ArrowUp: () => moveMap(plot, 0, 60), ArrowDown: () => moveMap(plot, 0, -60) });
    if (state.editing) {
      Object.assign(keys, {
        Delete: removeLabel,
        Backspace: removeLabel,
        a: () => addLabel((plot.from + plot.to) / 2),
        "[": () => pickNext(-1),
        "]": () => pickNext(1)
      });
      if (event.shiftKey)
        Object.assign(keys, { ArrowLeft: () => moveLabel(-1), ArrowRight: () => moveLabel(1) });
    }
    if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    }
  });
  function redrawAll() {
    draw();
    for (const again of [redraws.curve, redraws.delays])
      if (again)
        again();
  }
  window.addEventListener("resize", redrawAll);
  for (
    const [event, isPaper] of
    /** @type {const} */
    [["beforeprint", true], ["afterprint", false]]
  ) {
    window.addEventListener(event, () => {
      document.documentElement.classList.toggle("paper", isPaper);
      redrawAll();
    });
  }
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  Object.assign(window, { shadowbox: { model, core, valuesOf, canRun } });
  core.onFault = faults;
  window.addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof Fault)
      event.preventDefault();
    else if (byId("message"))
      say(event.reason.message);
  });
  core.start().then(async () => {
    await readFlips();
    await (model.entries.length ? choose(0) : chooseApp(0));
  }, (error) => {
    byId("app").replaceChildren(
      make("h1", {}, title()),
      make("p", { className: "warning" }, `The detectors cannot be started. ${error.message}`),
      overview()
    );
  });
})();
