import type { JsonObject } from '@sluice/core'
import { text } from '../convert/text.ts'
import { isBlank } from '../rules/is-blank.ts'

/** Returns the values of the identifier with this name as text. Users without it are skipped. */
export function identifiersOf(users: readonly JsonObject[], name = 'userId'): readonly string[] {
  return users.flatMap(({ [name]: id }) => (isBlank(id) ? [] : [text(id)]))
}
