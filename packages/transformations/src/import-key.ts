import { camelCase } from '@sluice/core'

/** What the import names of two libraries must differ in, because code may use the camel case of a name as well. */
export function importKey(importName: string): string {
  return camelCase(importName)
}
