import type { JsonObject } from '@sluice/core'
import { text } from '../convert/text.ts'

/** What users are called under a name, as text: none for those who have nothing there. */
export function identifiersOf(users: readonly JsonObject[], name = 'userId'): readonly string[] {
  return users.flatMap(({ [name]: id }) => (id === undefined || id === null || id === '' ? [] : [text(id)]))
}
