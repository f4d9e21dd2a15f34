// @ts-check

/**
 * Makes the globals of V8 those that programs have in QuickJS: no WebAssembly, no locales, nothing that remembers the
 * last search. Runs before the prelude.
 */
;(/** @type {boolean} */ guardsLists) => {
  const { defineProperty } = Object
  const { apply } = Reflect
  delete (/** @type {any} */ (globalThis).WebAssembly)
  delete (/** @type {any} */ (globalThis).Intl)
  for (const name of [...'123456789']
    .map((digit) => `$${digit}`)
    .concat('input', '$_', 'lastMatch', '$&', 'lastParen', '$+', 'leftContext', '$`', 'rightContext', "$'"))
    delete RegExp[name]
  // Its callbacks would run outside of every batch. An engine may call them as late as it likes, so also never.
  const registry = FinalizationRegistry.prototype
  const { unregister } = registry
  defineProperty(registry, 'register', {
    value: {
      register(target, _held) {
        apply(unregister, this, [target])
      },
    }.register,
    writable: true,
    enumerable: false,
    configurable: true,
  })
  const errors = /** @type {any} */ (Error)
  errors.stackTraceLimit = 25
  // Stacks have no frames of the host, which would show its paths.
  const toText = Error.prototype.toString
  const matchText = String.prototype.match
  const hostFile = /^(?:file:|node:|\/.*\.[cm]?[jt]s$)/
  const shown = (error, sites) => {
    let stack = 'Error'
    try {
      stack = apply(toText, error, [])
    } catch {}
    for (let i = 0; i < sites.length; i += 1) {
      const file = sites[i].getFileName()
      if (typeof file !== 'string' || apply(matchText, file, [hostFile]) === null) stack += `\n    at ${sites[i]}`
    }
    return stack
  }
  defineProperty(Error, 'prepareStackTrace', { value: shown, writable: true, enumerable: false, configurable: true })
  const plain = {
    localeCompare(other) {
      const [a, b] = [this.normalize(), `${other}`.normalize()]
      let i = 0
      while (i < a.length && a[i] === b[i]) i += 1
      // Behind the first half of a pair, whose halves are compared as one.
      if (i > 0 && a[i - 1] >= '\ud800' && a[i - 1] < '\udc00') i -= 1
      const [left = -1, right = -1] = [a.codePointAt(i), b.codePointAt(i)]
      return left < right ? -1 : left > right ? 1 : 0
    },
    toLocaleUpperCase() {
      return this.toUpperCase()
    },
    toLocaleLowerCase() {
      return this.toLowerCase()
    },
  }
  for (const name of Object.keys(plain))
    defineProperty(String.prototype, name, {
      value: plain[name],
      writable: true,
      enumerable: false,
      configurable: true,
    })

  if (!guardsLists) return
  // The engine cannot stop these over a list of billions of holes, not even by ending the thread.
  const lengthMax = 2 ** 25
  const checked = (list) => {
    if (list !== null && list !== undefined && list.length > lengthMax)
      throw new RangeError(`Invalid array length: user code may have lists of at most ${lengthMax} elements`)
  }
  const guard = (target, name, listOf) => {
    const native = target[name]
    const guarded = {
      [name](...args) {
        checked(listOf(this, args))
        return apply(native, this, args)
      },
    }[name]
    defineProperty(target, name, { value: guarded, writable: true, enumerable: false, configurable: true })
    defineProperty(guarded, 'length', { value: native.length, configurable: true })
  }
  const unguarded = ['constructor', 'keys', 'values', 'entries', 'push', 'pop', 'at']
  for (const name of Object.getOwnPropertyNames(Array.prototype))
    if (typeof Array.prototype[name] === 'function' && !unguarded.includes(name))
      guard(Array.prototype, name, (list) => list)
  guard(Array, 'from', (_, [list]) => list)
}
