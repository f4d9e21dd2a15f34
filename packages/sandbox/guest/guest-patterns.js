// @ts-check
// biome-ignore-all lint/style/useTemplate: the engine makes a template by String.prototype.concat, which user code may replace
// biome-ignore-all lint/suspicious/noRedundantUseStrict: runs as a script, not as a module

/** @typedef {PropertyDescriptor & { get: () => string }} Accessor */

/**
 * Guest code that lets certain patterns look for what every match contains before they search a text. Searching is the
 * slow part of such a pattern: `indexOf` takes a tenth of the time. Results are the same as without.
 *
 * `quicken(text)` gets a list of QuickPattern as JSON. It replaces methods of RegExp.prototype until each of these
 * patterns was used, or until too many others were. A pattern that is found gets a prototype of its own, between it and
 * RegExp.prototype, with methods that make the check. So other patterns cost nothing more.
 * Its 40 KB are only in the memory of programs with such patterns, because every restore copies them.
 *
 * The check is made only if the engine's own method would do nothing but search: the text is a string, `exec` is the
 * engine's, and no argument or property can call user code. Whether code could see the extra prototype or define
 * properties is decided from its text; see quick-patterns.ts.
 */
;(() => {
  'use strict'
  const { apply, getPrototypeOf, setPrototypeOf } = Reflect
  const { create, defineProperty, getOwnPropertyDescriptor } = Object
  const { parse } = JSON
  const { replace: replaceKey, match: matchKey, search: searchKey, split: splitKey } = Symbol
  const NativeRegExp = RegExp
  const shared = RegExp.prototype
  const nativeExec = shared.exec
  const native = {
    __proto__: null,
    [replaceKey]: shared[replaceKey],
    [matchKey]: shared[matchKey],
    [searchKey]: shared[searchKey],
    [splitKey]: shared[splitKey],
    test: shared.test,
  }
  const methodKeys = Reflect.ownKeys(native)
  const sourceOf = /** @type {Accessor} */ (getOwnPropertyDescriptor(shared, 'source')).get
  const flagsOf = /** @type {Accessor} */ (getOwnPropertyDescriptor(shared, 'flags')).get
  const indexIn = Function.prototype.call.bind(String.prototype.indexOf)
  const NativeMap = Map
  const getFrom = Map.prototype.get
  const setIn = Map.prototype.set

  let patterns
  // How many listed patterns were not used yet, and how many uses of other patterns are examined.
  let unused = 0
  let looksLeft = 0

  const define = (target, key, value) =>
    defineProperty(target, key, { __proto__: null, value, enumerable: false, writable: true, configurable: true })

  // A pattern is recognised by its identity, because code may call a method with any other object.
  function quickMethods(pattern, { literal, minLength, isGlobal }) {
    // Whether the pattern cannot match, and a search would have no other effect than to reset lastIndex.
    function excludes(self, text) {
      if (self !== pattern || typeof text !== 'string') return false
      if (text.length >= minLength && indexIn(text, literal) >= 0) return false
      return pattern.exec === nativeExec && typeof pattern.lastIndex === 'number'
    }
    // 'super' is the list of native methods. Calling them this way adds no frame to the stack of an error.
    const methods = {
      __proto__: native,
      [replaceKey](text, by) {
        // Written out, because a call would take half as long as the rest. A global replace ignores lastIndex.
        if (
          this === pattern &&
          typeof text === 'string' &&
          (text.length < minLength || indexIn(text, literal) < 0) &&
          pattern.exec === nativeExec &&
          (typeof by === 'string' || typeof by === 'function') &&
          (isGlobal || typeof pattern.lastIndex === 'number')
        ) {
          if (isGlobal) pattern.lastIndex = 0
          return text
        }
        return super[replaceKey](text, by)
      },
      [matchKey](text) {
        if (!excludes(this, text)) return super[matchKey](text)
        if (isGlobal) pattern.lastIndex = 0
        return null
      },
      [searchKey](text) {
        if (!excludes(this, text) || pattern.lastIndex !== 0) return super[searchKey](text)
        if (isGlobal) pattern.lastIndex = 0
        return -1
      },
      [splitKey](text, limit) {
        const isPlain = limit === undefined && pattern.constructor === NativeRegExp
        return isPlain && excludes(this, text) ? [text] : super[splitKey](text, limit)
      },
      test(text) {
        if (!excludes(this, text)) return super.test(text)
        if (isGlobal) pattern.lastIndex = 0
        return false
      },
    }
    const prototype = create(shared)
    for (let i = 0; i < methodKeys.length; i += 1) define(prototype, methodKeys[i], methods[methodKeys[i]])
    return prototype
  }

  // Gives a pattern that is used for the first time its quick methods, if it is listed. Returns whether this made its
  // method with this key a quick one.
  function examine(pattern, key) {
    looksLeft -= 1
    try {
      // Throws for anything that is no pattern, before anything of it is called.
      const source = apply(sourceOf, pattern, [])
      if (getPrototypeOf(pattern) !== shared) return false
      const listed = apply(getFrom, patterns, [apply(flagsOf, pattern, []) + '/' + source])
      if (listed === undefined) return false
      const methods = quickMethods(pattern, listed)
      if (!setPrototypeOf(pattern, methods)) return false
      unused -= 1
      return pattern[key] === methods[key]
    } catch {
      return false
    } finally {
      if (unused === 0 || looksLeft === 0) restore()
    }
  }

  const finders = {
    __proto__: native,
    [replaceKey](text, by) {
      return examine(this, replaceKey) ? this[replaceKey](text, by) : super[replaceKey](text, by)
    },
    [matchKey](text) {
      return examine(this, matchKey) ? this[matchKey](text) : super[matchKey](text)
    },
    [searchKey](text) {
      return examine(this, searchKey) ? this[searchKey](text) : super[searchKey](text)
    },
    [splitKey](text, limit) {
      return examine(this, splitKey) ? this[splitKey](text, limit) : super[splitKey](text, limit)
    },
    test(text) {
      return examine(this, 'test') ? this.test(text) : super.test(text)
    },
  }

  function restore() {
    for (let i = 0; i < methodKeys.length; i += 1) {
      const key = methodKeys[i]
      if (shared[key] === finders[key]) define(shared, key, native[key])
    }
  }

  return function quicken(text) {
    for (let i = 0; i < methodKeys.length; i += 1) if (shared[methodKeys[i]] !== native[methodKeys[i]]) return
    /** @type {readonly import('../src/patterns/quick-pattern.ts').QuickPattern[]} */
    const list = parse(text)
    patterns = new NativeMap()
    for (let i = 0; i < list.length; i += 1) {
      const { source, flags, literal, minLength } = list[i]
      const listed = { __proto__: null, literal, minLength, isGlobal: indexIn(flags, 'g') >= 0 }
      apply(setIn, patterns, [flags + '/' + source, listed])
    }
    unused = list.length
    looksLeft = 8 + 2 * list.length
    for (let i = 0; i < methodKeys.length; i += 1) define(shared, methodKeys[i], finders[methodKeys[i]])
  }
})()
