// @ts-check

const call = callHost
export const sha256 = (value, options) => call('hash', 'sha256', value, options)
export const sha512 = (value, options) => call('hash', 'sha512', value, options)
export const sha1 = (value, options) => call('hash', 'sha1', value, options)
export const md5 = (value, options) => call('hash', 'md5', value, options)
export const hmac = (algorithm, key, value, options) => call('hmac', algorithm, key, value, options)
