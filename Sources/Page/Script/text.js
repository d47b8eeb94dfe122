// @ts-check
/**
 * @param {number | null | undefined} value
 * @param {number} digits
 */
export const fixed = (value, digits) => (value === null || value === undefined || Number.isNaN(value) ? "–"
  : value.toFixed(digits));

/**
 * @param {number | null | undefined} value
 */
export const share = (value) => fixed(value, 3);

/**
 * @param {number | null | undefined} value
 */
export const rate = (value) => fixed(value, value < 100 ? 1 : 0);

/**
 * @param {number} count
 * @param {string} word
 */
export const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/**
 * @param {number} seconds
 */
export const lasting = (seconds) => (seconds < 1000 ? `${fixed(seconds, 0)} s`
  : seconds < 10000 ? `${fixed(seconds / 60, 0)} min` : `${fixed(seconds / 3600, 1)} h`);

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * @param {number | null | undefined} value
 */
export const isSet = (value) => value !== null && value !== undefined && Number.isFinite(value);

/**
 * @param {number} metres
 */
export const distanceName = (metres) => (!isSet(metres) ? "" : metres % 1000 === 0 ? `${metres / 1000} km`
  : `${fixed(metres / 1609.344, 0)} mi`);

/**
 * Thresholds that are tried have four digits, so that one who types what the page says gets the same.
 * @param {number} value
 */
export const short = (value) => Number(value.toPrecision(4));

/**
 * @param {number} value
 * @param {import("./model.js").Field} field
 */
export const shown = (value, field) => (field.kind === "choice" ? field.choices[value]
  : field.kind === "flag" ? String(value !== 0) : String(Number(value.toPrecision(6))));

/**
 * @param {string} path
 */
export const lastPart = (path) => path.split("/").pop();
