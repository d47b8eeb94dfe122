// Also evaluated in a browser, by Tests/Python/page_in_browser.py: only this function.
/**
 * A module with other functions.
 * @param {string} module packed by gzip, in base64
 * @param {Record<string, number[]>} bodies The code of functions by the names of their exports, up to their end.
 */
export async function hostile(module, bodies) {
  const through = async (stream, bytes) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  const code = await through(new DecompressionStream("gzip"), Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0)));
  let place = 8;
  const number = () => {
    let [result, shift] = [0, 0];
    do { result |= (code[place] & 127) << shift; shift += 7; place += 1; } while (code[place - 1] & 128);
    return result;
  };
  const of = (value) => [value & 127 | 128, value >> 7 & 127 | 128, value >> 14 & 127 | 128, value >> 21 & 127];
  const parts = [code.subarray(0, 8)];
  const functions = new Map();
  while (place < code.length) {
    const start = place;
    const id = code[place];
    place += 1;
    const end = number() + place;
    if (id === 7) {
      for (let rest = number(); rest > 0; rest -= 1) {
        const length = number();
        const name = new TextDecoder().decode(code.subarray(place, place + length));
        const kind = code[place + length];
        place += length + 1;
        const index = number();
        if (kind === 0 && bodies[name]) functions.set(index, [0, ...bodies[name], 11]);
      }
    }
    if (id !== 10) parts.push(code.subarray(start, end));
    else {
      const count = number();
      const made = [Uint8Array.from(of(count))];
      for (let index = 0; index < count; index += 1) {
        const length = number();
        const body = functions.get(index) ?? code.subarray(place, place + length);
        made.push(Uint8Array.from(of(body.length)), Uint8Array.from(body));
        place += length;
      }
      parts.push(Uint8Array.of(10, ...of(made.reduce((sum, one) => sum + one.length, 0))), ...made);
    }
    place = end;
  }
  const packed = await through(new CompressionStream("gzip"), await new Blob(parts).arrayBuffer());
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
}
