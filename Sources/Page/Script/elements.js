// @ts-check
/**
 * @param {string} id
 * @returns {any} The element of the page.
 */
export const byId = (id) => document.getElementById(id);

/**
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export const elementsOf = (selector) => [...document.querySelectorAll(selector)].map((one) => /** @type {HTMLElement} */ (one));

/**
 * Makes an element. Keys that are not properties become attributes; null children are left out.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {any}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value; else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * A cell with a number.
 * @param {string} text
 * @param {string} [title]
 */
export const number = (text, title) => make("td", { className: "number", title: title || "" }, text);

/**
 * A message below the plot.
 * @param {string} text
 */
export function say(text) { byId("message").textContent = text || "\u00a0"; }

/**
 * The head of a column that sorts a list on a click; a second click restores the usual order.
 * @param {string} text
 * @param {string} key
 * @param {string} order the current one
 * @param {string} usual
 * @param {(order: string) => void} reorder
 * @param {string} [more] classes
 */
export function ordering(text, key, order, usual, reorder, more = "") {
  return make("th", { scope: "col", className: more, "aria-sort": order === key ? "descending" : "none" },
    make("button", { className: "link", title: `largest first: ${text.toLowerCase()}`,
      onclick: () => reorder(order === key ? usual : key) }, order === key ? `${text} ↓` : text));
}

/**
 * A sign of the legend.
 * @param {string} kind hit, miss or alarm
 */
export function sign(kind) {
  const ns = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(ns, "svg");
  picture.setAttribute("viewBox", "-7 -7 14 14"); picture.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(ns, kind === "alarm" ? "path" : "circle");
  if (kind === "alarm") shape.setAttribute("d", "M-5-5 5 5M-5 5 5-5"); else shape.setAttribute("r", "5");
  shape.setAttribute("fill", kind === "hit" ? `var(--hit)` : "none");
  shape.setAttribute("stroke", `var(--${kind})`); shape.setAttribute("stroke-width", "2");
  picture.append(shape);
  return picture;
}
