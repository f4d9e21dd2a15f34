// @ts-check

const call = callHost
export const base64Encode = (value) => call('base64Encode', value)
export const base64Decode = (value) => call('base64Decode', value)
export const base64UrlEncode = (value) => call('base64UrlEncode', value)
export const base64UrlDecode = (value) => call('base64UrlDecode', value)
export const hexEncode = (value) => call('hexEncode', value)
export const hexDecode = (value) => call('hexDecode', value)
export const utf8Length = (value) => call('utf8Length', value)
