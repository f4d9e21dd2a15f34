// @ts-check

/**
 * Remembers the built-ins of the realm in which this runs, and what is in `more`. Returns
 * - `isUnchanged()`: whether no assignment, call of a built-in that assigns, or `delete` has changed one of them. It
 *   takes a few µs, and looks neither at accessors nor at the global object;
 * - `restore()`: undoes every change, that of a definition and of a prototype too. Returns false when it cannot.
 *
 * Methods are not compared, because there are too many. They take no new properties instead.
 */
;(/** @type {readonly object[]} */ more) => {
  const {
    ownKeys,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    setPrototypeOf,
    defineProperty,
    deleteProperty,
    isExtensible,
    preventExtensions,
  } = Reflect
  const { is } = Object
  const depthMax = 5
  const startsLarge = RegExp.prototype.test.bind(/^[A-Z]/)
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function'
  /** Containers: objects that are not functions, constructors with their prototypes, and functions that have parts. */
  const isContainer = (value, owner) =>
    isObject(value) && (typeof value === 'object' || owner === globalThis || startsLarge(value.name))

  const seen = new Set()
  const objects = []
  const visit = (object, depth) => {
    if (!isObject(object) || seen.has(object)) return
    seen.add(object)
    objects.push(object)
    if (depth > depthMax) return
    for (const key of ownKeys(object)) {
      const { value } = getOwnPropertyDescriptor(object, key) ?? {}
      if (isContainer(value, object)) visit(value, depth + 1)
    }
    visit(getPrototypeOf(object), depth + 1)
  }
  visit(globalThis, 0)
  // Prototypes to which no name leads.
  for (const hidden of [
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map().values(),
    new Set().values(),
    'a'.matchAll(/a/g),
    (function* () {})(),
    (async function* () {})(),
    async () => {},
  ])
    visit(getPrototypeOf(hidden), 0)
  for (const object of more) visit(object, 1)
  for (const object of objects)
    for (const key of ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, key) ?? {}
      for (const method of [value, get, set])
        if (typeof method === 'function' && !seen.has(method)) preventExtensions(method)
    }

  /** Keys and their descriptors, and the prototype, of each object. */
  const before = objects.map((object) => {
    const keys = ownKeys(object)
    return {
      object,
      keys,
      descriptors: keys.map((key) => getOwnPropertyDescriptor(object, key)),
      prototype: getPrototypeOf(object),
      extensible: isExtensible(object),
    }
  })
  const isSame = (a, b) =>
    a !== undefined &&
    b !== undefined &&
    is(a.value, b.value) &&
    a.get === b.get &&
    a.set === b.set &&
    a.writable === b.writable &&
    a.enumerable === b.enumerable &&
    a.configurable === b.configurable

  function restoreOne({ object, keys, descriptors, prototype, extensible }) {
    if (getPrototypeOf(object) !== prototype && !setPrototypeOf(object, prototype)) return false
    if (isExtensible(object) !== extensible) return false
    for (let i = 0; i < keys.length; i += 1)
      if (
        !isSame(getOwnPropertyDescriptor(object, keys[i]), descriptors[i]) &&
        !defineProperty(object, keys[i], descriptors[i])
      )
        return false
    if (ownKeys(object).length === keys.length) return true
    for (const key of ownKeys(object)) if (!keys.includes(key) && !deleteProperty(object, key)) return false
    return true
  }

  // One function for each object, in which every read has a cache of its own: that takes a tenth of a loop over keys.
  const checks = before
    .filter(({ object }) => object !== globalThis)
    .map(({ object, keys, descriptors }) => {
      const own = keys.flatMap((key, i) =>
        descriptors[i] !== undefined && 'value' in descriptors[i] && descriptors[i].writable
          ? [{ key, value: descriptors[i].value }]
          : [],
      )
      const compared = own.filter(({ value }) => !is(value, NaN))
      const named = compared.map(
        ({ key }, i) => `object[${typeof key === 'string' ? JSON.stringify(key) : `keys[${i}]`}] === values[${i}]`,
      )
      // Most have no enumerable property, not even an inherited one.
      const enumerable = []
      for (const key in object) enumerable.push(key)
      const added =
        enumerable.length === 0 ? 'return false' : 'if (!known.has(key) && has.call(object, key)) return false'
      const body = `for (const key in object) { ${added} }\nreturn ${named.length === 0 ? 'true' : named.join(' && ')}`
      return new Function('object', 'keys', 'values', 'known', 'has', `return () => { ${body} }`)(
        object,
        compared.map(({ key }) => key),
        compared.map(({ value }) => value),
        new Set(enumerable),
        Object.prototype.hasOwnProperty,
      )
    })

  return {
    isUnchanged() {
      for (let i = 0; i < checks.length; i += 1) if (!checks[i]()) return false
      return true
    },
    restore() {
      for (let i = 0; i < before.length; i += 1) if (!restoreOne(before[i])) return false
      return true
    },
  }
}
