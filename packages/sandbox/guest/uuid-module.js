// @ts-check

const call = callHost
export const v4 = (count) => call('uuidV4', count)
export const v5 = (name, namespace) => call('uuidV5', name, namespace)
export const v7 = (count) => call('uuidV7', count)
