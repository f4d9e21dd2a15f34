// @ts-check

/** The global geolocation. */
;(() => {
  const later = callHostLater
  const geolocation = (ip) => later('geolocation', ip)
  Object.defineProperty(globalThis, 'geolocation', { value: geolocation, writable: true, configurable: true })
})()
