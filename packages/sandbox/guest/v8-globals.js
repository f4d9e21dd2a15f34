// @ts-check

/**
 * Makes the globals of V8 those that programs have in QuickJS: no WebAssembly, no locales, nothing that remembers the
 * last search. Runs before the prelude.
 */
;() => {
  const { defineProperty } = Object
  delete (/** @type {any} */ (globalThis).WebAssembly)
  delete (/** @type {any} */ (globalThis).Intl)
  for (const name of [...'123456789']
    .map((digit) => `$${digit}`)
    .concat('input', '$_', 'lastMatch', '$&', 'lastParen', '$+', 'leftContext', '$`', 'rightContext', "$'"))
    delete RegExp[name]
  const errors = /** @type {any} */ (Error)
  errors.stackTraceLimit = 25
  const plain = {
    localeCompare(other) {
      const [a, b] = [this.normalize(), `${other}`.normalize()]
      return a < b ? -1 : a > b ? 1 : 0
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
}
