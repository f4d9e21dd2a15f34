// @ts-check

const call = callHost
export const parse = (value) => call('userAgent', value)
