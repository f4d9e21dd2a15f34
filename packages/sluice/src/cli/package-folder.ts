/**
 * URL of the folder of this package, with its manifest and its templates. Source, build and bundle of this file are all
 * two folders below it.
 */
export const packageFolder = new URL('../../', import.meta.url)
