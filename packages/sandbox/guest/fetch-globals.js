// @ts-check

/** The globals fetch and fetchV2. A URLSearchParams body becomes text here, because only JSON values cross. */
;(() => {
  const later = callHostLater
  const { apply } = Reflect
  const Params = globalThis.URLSearchParams
  const paramsText = Params === undefined ? undefined : Params.prototype.toString
  const NativeString = String
  const formType = 'application/x-www-form-urlencoded;charset=UTF-8'

  function toPlain(options) {
    const body = options === null || options === undefined ? undefined : options.body
    if (paramsText === undefined || !(body instanceof Params)) return options
    const { method, redirect, headers } = options
    return { method, redirect, headers: { 'content-type': formType, ...headers }, body: apply(paramsText, body, []) }
  }
  const text = (url) => (url === null || url === undefined ? url : NativeString(url))

  async function fetch(url, options) {
    try {
      const answer = await later('fetch', text(url), toPlain(options))
      return 'json' in answer ? answer.json : 'ERROR'
    } catch {
      return 'ERROR'
    }
  }
  async function fetchV2(url, options) {
    return later('fetchV2', text(url), toPlain(options))
  }
  const install = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
  install('fetch', fetch)
  install('fetchV2', fetchV2)
})()
