import { identifierText, type JsonObject } from '@sluice/core'
import { isMappingError, type KeptLinesRule } from '@sluice/destinations'
import type { ErasureProgress, UserErasure } from './api-eraser.ts'
import type { EraseLines } from './line-erasure.ts'

export interface LineEraserOptions {
  readonly rule: KeptLinesRule
  /** Complete: as `parseSettings` gives them. */
  readonly settings: JsonObject
  readonly eraseLines: EraseLines
}

/** All that is kept is read once for so many users. */
const usersMax = 1_000

/** Deletes users from the lines that a sink keeps. */
export function createLineEraser({ rule, settings, eraseLines }: LineEraserOptions) {
  return {
    usersMax,
    async erase(
      users: readonly JsonObject[],
      signal: AbortSignal,
      progress?: ErasureProgress,
    ): Promise<readonly UserErasure[]> {
      const place = rule.place(settings)
      if (isMappingError(place)) return users.map(() => ({ status: 'aborted', reason: place.message }))
      const marks = new Map<string, string>()
      for (const [index, { userId }] of users.entries()) {
        const id = identifierText(userId)
        const mark = progress?.marks[index] ?? ''
        // Who is there twice, and not equally far, is looked for everywhere.
        marks.set(id, (marks.get(id) ?? mark) === mark ? mark : '')
      }
      const reached = async (mark: string): Promise<void> => progress?.reached(mark)
      const erasure = await eraseLines({ place, userIdAt: rule.userIdAt, users: marks, reached, signal })
      return users.map(() => erasure)
    },
  }
}
