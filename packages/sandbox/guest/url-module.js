// @ts-check

const call = callHost
export const { URL, URLSearchParams } = globalThis
export const parse = (value, base) => call('urlRecords', value, base)
