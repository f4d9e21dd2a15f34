// @ts-check
// biome-ignore-all lint/style/useTemplate: the engine makes a template by String.prototype.concat, which user code may replace
// biome-ignore-all lint/complexity/noArguments: a rest parameter would change the length of the function, which user code sees

/** @typedef {PropertyDescriptor & { get: () => string }} Accessor */

/** The globals structuredClone and queueMicrotask, which need no host calls. */
;(() => {
  const { apply, defineProperty, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect
  const { isArray } = Array
  const NativeError = Error
  const NativeMap = Map
  const NativeSet = Set
  const NativeDate = Date
  const NativeRegExp = RegExp
  const NativeBuffer = ArrayBuffer
  const NativeView = DataView
  const NativeTypeError = TypeError
  const { isView } = ArrayBuffer
  const tagOf = Object.prototype.toString
  const { get: getFrom, set: setIn, forEach: eachOfMap } = Map.prototype
  const { add: addTo, forEach: eachOfSet, has: isIn } = Set.prototype
  const { slice: sliceBuffer } = ArrayBuffer.prototype
  const sizeOfSet = /** @type {PropertyDescriptor & { get: () => number }} */ (
    Object.getOwnPropertyDescriptor(Set.prototype, 'size')
  ).get
  const timeOf = NativeDate.prototype.getTime
  const { valueOf: numberOf } = Number.prototype
  const { valueOf: textOf } = String.prototype
  const { valueOf: truthOf } = Boolean.prototype
  const { valueOf: bigOf } = BigInt.prototype
  const NativeObject = Object
  const typedTag = /** @type {Accessor} */ (
    Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)
  ).get
  const typedArrays = { __proto__: null }
  const kinds = [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    BigInt64Array,
    BigUint64Array,
    Float32Array,
    Float64Array,
  ]
  for (const kind of kinds) typedArrays[kind.name] = kind
  const errors = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }
  // What the standard refuses beside functions and symbols.
  const refused = [Promise, WeakMap, WeakSet, WeakRef, FinalizationRegistry]
  const then = Promise.prototype.then
  const settled = Promise.resolve()

  function cloneError(message) {
    const error = new NativeError(message)
    error.name = 'DataCloneError'
    return error
  }
  const uncloneable = (value) =>
    cloneError((typeof value === 'symbol' ? 'a symbol' : apply(tagOf, value, [])) + ' could not be cloned.')
  const put = (target, key, value) =>
    defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })

  function structuredClone(value, options) {
    if (arguments.length === 0) throw new NativeTypeError('structuredClone needs 1 argument')
    const seen = new NativeMap()
    const moved = new NativeSet()
    const listed = options?.transfer
    if (listed !== undefined && listed !== null)
      for (const buffer of listed) {
        if (!(buffer instanceof NativeBuffer) || apply(isIn, moved, [buffer])) throw uncloneable(buffer)
        apply(addTo, moved, [buffer])
      }
    // A buffer that is moved is gone where it was, and the engine has defects with buffers that go while they are in use.
    if (apply(sizeOfSet, moved, []) > 0)
      throw cloneError('an ArrayBuffer cannot be transferred here; it is copied without the option transfer.')

    const remember = (source, copy) => {
      apply(setIn, seen, [source, copy])
      return copy
    }

    function members(source, copy, skipped) {
      const keys = ownKeys(source)
      for (let i = 0; i < keys.length; i += 1) {
        const key = keys[i]
        if (typeof key !== 'string' || key === skipped) continue
        if (getOwnPropertyDescriptor(source, key)?.enumerable) put(copy, key, clone(source[key]))
      }
      return copy
    }

    function errorCopy(source) {
      const type = errors[typeof source.name === 'string' ? source.name : ''] ?? NativeError
      const message = getOwnPropertyDescriptor(source, 'message')
      const copy = remember(source, message === undefined ? new type() : new type(`${message.value}`))
      for (const key of ['stack', 'cause']) {
        const own = getOwnPropertyDescriptor(source, key)
        if (own !== undefined && 'value' in own)
          defineProperty(copy, key, { value: clone(own.value), writable: true, configurable: true })
      }
      return copy
    }

    function viewCopy(source) {
      const buffer = clone(source.buffer)
      const kind = apply(typedTag, source, [])
      if (kind === undefined) return remember(source, new NativeView(buffer, source.byteOffset, source.byteLength))
      const type = typedArrays[kind]
      if (type === undefined) throw uncloneable(source)
      return remember(source, new type(buffer, source.byteOffset, source.length))
    }

    function clone(source) {
      const type = typeof source
      if (type === 'function' || type === 'symbol') throw uncloneable(source)
      if (type !== 'object' || source === null) return source
      const before = apply(getFrom, seen, [source])
      if (before !== undefined) return before
      if (isArray(source)) {
        const copy = remember(source, [])
        copy.length = source.length
        return members(source, copy, 'length')
      }
      if (isView(source)) return viewCopy(source)
      if (source instanceof NativeBuffer) return remember(source, apply(sliceBuffer, source, [0]))
      if (source instanceof NativeDate) return remember(source, new NativeDate(apply(timeOf, source, [])))
      if (source instanceof NativeRegExp) return remember(source, new NativeRegExp(source.source, source.flags))
      if (source instanceof NativeError) return errorCopy(source)
      if (source instanceof NativeMap) {
        const entries = []
        apply(eachOfMap, source, [
          (item, key) => {
            entries[entries.length] = { key, item }
          },
        ])
        const copy = remember(source, new NativeMap())
        for (let i = 0; i < entries.length; i += 1) apply(setIn, copy, [clone(entries[i].key), clone(entries[i].item)])
        return copy
      }
      if (source instanceof NativeSet) {
        const items = []
        apply(eachOfSet, source, [
          (item) => {
            items[items.length] = item
          },
        ])
        const copy = remember(source, new NativeSet())
        for (let i = 0; i < items.length; i += 1) apply(addTo, copy, [clone(items[i])])
        return copy
      }
      for (let i = 0; i < refused.length; i += 1) if (source instanceof refused[i]) throw uncloneable(source)
      return boxedCopy(source) ?? members(source, remember(source, {}))
    }

    function boxedCopy(source) {
      const tag = apply(tagOf, source, [])
      // The tag may be forged; then reading the value throws, and the object is an ordinary one.
      const out = {
        '[object Number]': numberOf,
        '[object String]': textOf,
        '[object Boolean]': truthOf,
        '[object BigInt]': bigOf,
      }[tag]
      if (tag === '[object URL]' || tag === '[object URLSearchParams]') throw uncloneable(source)
      if (out === undefined) return undefined
      try {
        return remember(source, NativeObject(apply(out, source, [])))
      } catch {
        return undefined
      }
    }

    return clone(value)
  }

  function queueMicrotask(job) {
    if (typeof job !== 'function') throw new NativeTypeError('queueMicrotask needs a function')
    apply(then, settled, [
      () => {
        job()
      },
    ])
  }

  const install = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true })
  install('structuredClone', structuredClone)
  install('queueMicrotask', queueMicrotask)
})()
