// @ts-check

/** The global getCredential. */
;(() => {
  const call = callHost
  const NativeTypeError = TypeError
  const getCredential = (key) => {
    if (key === null || key === undefined) throw new NativeTypeError('Key should be valid and defined')
    return call('credential', `${key}`)[0]
  }
  Object.defineProperty(globalThis, 'getCredential', { value: getCredential, writable: true, configurable: true })
})()
