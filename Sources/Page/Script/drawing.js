// @ts-check
/** @typedef {{ low: Float32Array, high: Float32Array }} Level */

/**
 * The least and greatest value of 4, 16, 64, … readings, so that each pixel reads only a few.
 * @param {Float32Array} values
 * @returns {Level[]}
 */
export function pyramid(values) {
  const levels = [{ low: values, high: values }];
  while (levels[levels.length - 1].low.length > 512) {
    const last = levels[levels.length - 1];
    const count = Math.ceil(last.low.length / 4);
    const [low, high] = [new Float32Array(count), new Float32Array(count)];
    for (let index = 0; index < count; index += 1) {
      let [least, most] = [Infinity, -Infinity];
      for (let place = 4 * index; place < Math.min(4 * index + 4, last.low.length); place += 1) {
        if (last.low[place] < least) least = last.low[place];
        if (last.high[place] > most) most = last.high[place];
      }
      low[index] = least; high[index] = most;
    }
    levels.push({ low, high });
  }
  return levels;
}

/**
 * @param {ArrayLike<number>} times
 * @param {number} time
 */
export function firstAtLeast(times, time) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}

/**
 * @param {Level[]} levels
 * @param {number} start
 * @param {number} end
 */
export function extremes(levels, start, end) {
  const level = Math.min(levels.length - 1, Math.max(0, Math.floor(Math.log(end - start) / Math.log(4)) - 1));
  const size = 4 ** level;
  const { low, high } = levels[level];
  let [least, most] = [Infinity, -Infinity];
  for (let place = Math.floor(start / size); place < Math.min(low.length, Math.ceil(end / size)); place += 1) {
    if (low[place] < least) least = low[place];
    if (high[place] > most) most = high[place];
  }
  return [least, most];
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} count
 */
export function steps(from, to, count) {
  const raw = (to - from) / count;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((one) => one >= raw);
  const marks = [];
  // Far from 0, `at + step` may be `at`.
  for (let at = Math.ceil(from / step) * step; at <= to && marks.length <= count; at += step) marks.push(at);
  return { marks, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

export const AREA = { left: 44, right: 8, top: 30, bottom: 22 };

/**
 * Converts times and values to places on a canvas, and back.
 * @param {{ from: number, to: number, top: number }} shown
 * @param {number} width
 * @param {number} height
 */
export function scales(shown, width, height) {
  const inner = width - AREA.left - AREA.right;
  const x = (time) => AREA.left + ((time - shown.from) / (shown.to - shown.from)) * inner;
  const y = (value) => height - AREA.bottom - (value / shown.top) * (height - AREA.bottom - AREA.top);
  const time = (pixel) => shown.from + ((pixel - AREA.left) / inner) * (shown.to - shown.from);
  return { x, y, time, inner };
}

// Read once per redraw, because reading a style is slow.
let colors = null;

/**
 * @param {string} name
 */
export const color = (name) => colors[name] || (colors[name] = colors.style.getPropertyValue(name).trim());

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number} height
 */
export function prepared(canvas, height) {
  colors = { style: getComputedStyle(document.documentElement) };
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth || 600;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale); canvas.height = Math.round(height * scale);
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px system-ui, sans-serif";
  return { context, width, height };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function dot(context, x, y, size) {
  context.fillStyle = color("--hit");
  context.beginPath(); context.arc(x, y, size, 0, 7); context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} at
 * @param {number} y
 */
export function ring(context, at, y) {
  context.strokeStyle = color("--miss"); context.lineWidth = 2;
  context.beginPath(); context.arc(at, y, 5, 0, 7); context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function cross(context, x, y, size) {
  context.strokeStyle = color("--alarm"); context.lineWidth = 2.2;
  context.beginPath();
  context.moveTo(x - size, y - size); context.lineTo(x + size, y + size);
  context.moveTo(x - size, y + size); context.lineTo(x + size, y - size);
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} from
 * @param {number} to
 * @param {number} top
 * @param {number} bottom
 */
export function hatch(context, from, to, top, bottom) {
  context.save();
  context.beginPath(); context.rect(from, top, Math.max(1, to - from), bottom - top); context.clip();
  context.strokeStyle = color("--line"); context.lineWidth = 1;
  // What is seen of it: a zone may be as long as its recording.
  const [first, last] = [Math.max(from, 0), Math.min(to, context.canvas.clientWidth)];
  for (let at = first - (bottom - top); at < last; at += 8) {
    context.beginPath(); context.moveTo(at, bottom); context.lineTo(at + bottom - top, top); context.stroke();
  }
  context.restore();
}

export function axes(context, { x, y, left, right, bottom, times, shares }) {
  context.strokeStyle = color("--line"); context.fillStyle = color("--quiet"); context.lineWidth = 1;
  context.textAlign = "center";
  for (const mark of times.marks) context.fillText(mark.toFixed(times.digits), x(mark), bottom + 14);
  context.textAlign = "right";
  for (const mark of shares) {
    context.beginPath(); context.moveTo(left, y(mark)); context.lineTo(right, y(mark)); context.stroke();
    context.fillText(String(mark), left - 6, y(mark) + 4);
  }
}
