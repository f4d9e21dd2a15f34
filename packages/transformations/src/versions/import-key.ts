import { camelCase } from '@sluice/core/camel-case'

/**
 * Returns the key by which import names must be unique. Code may also import a library by the camel case of its name.
 */
export function importKey(importName: string): string {
  return camelCase(importName)
}
