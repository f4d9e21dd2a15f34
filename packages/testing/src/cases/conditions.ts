import { isJsonObject, type JsonObject } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import type { Project, ProjectCase } from '../project/project.ts'
import { ProjectError } from '../project/project.ts'
import { readCaseFile, shownPath } from '../project/project-files.ts'
import type { RunConditions } from '../run/offline-run.ts'

type CaseConditions = Pick<RunConditions, 'now' | 'seed' | 'credentials' | 'metadata'>

const known = ['now', 'seed', 'credentials', 'metadata']

/**
 * Reads the conditions of a case from its files: `now` (ISO time or milliseconds), `seed`, `credentials` (texts by
 * name), `metadata`. Members of a later file replace those of an earlier one.
 * @throws ProjectError naming file and member.
 */
export async function readConditions({ root }: Project, { conditionFiles }: ProjectCase): Promise<CaseConditions> {
  let all: CaseConditions = {}
  for (const file of conditionFiles) {
    const value = await readCaseFile(root, file)
    if (value !== undefined) all = withDefaults(all, toConditions(value, shownPath(root, file)))
  }
  return all
}

function toConditions(value: unknown, at: string): CaseConditions {
  if (!isJsonObject(value)) throw new ProjectError(`${at}: must be an object with some of ${known.join(', ')}`)
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new ProjectError(`${at}: ${unknown} is unknown; known are ${known.join(', ')}`)
  const { now, seed, credentials, metadata } = value
  const nowMs = typeof now === 'string' ? Date.parse(now) : now
  if (nowMs !== undefined && (typeof nowMs !== 'number' || !Number.isSafeInteger(nowMs)))
    throw new ProjectError(`${at}: now is ${JSON.stringify(now)}; give a time such as "2026-01-01T00:00:00.000Z"`)
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new ProjectError(`${at}: seed is ${JSON.stringify(seed)}; give a whole number`)
  if (credentials !== undefined && !isTexts(credentials))
    throw new ProjectError(`${at}: credentials must be an object of texts`)
  if (metadata !== undefined && !isJsonObject(metadata)) throw new ProjectError(`${at}: metadata must be an object`)
  return {
    now: nowMs,
    seed: typeof seed === 'number' ? seed : undefined,
    credentials,
    metadata,
  }
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> & JsonObject {
  return isJsonObject(value) && Object.values(value).every((member) => typeof member === 'string')
}
