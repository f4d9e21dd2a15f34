import { isDeepStrictEqual } from 'node:util'
import type { Workspace } from '@sluice/core'
import type { CodeKind, Transformations, VersionedCode } from '@sluice/transformations'
import type { Call } from '../../gate/access/token-gate.ts'
import { type Answer, problem } from '../../gate/answer.ts'
import { saveCode } from './save-code.ts'
import { toAnswer } from './to-answer.ts'
import { type PublishQuery, readOnlyMembers, type TransformationChange } from './transformations-schemas.ts'

/**
 * Saves a new version. The body may repeat read-only members of the record, because clients send back what they have
 * read. They must be as they are stored: a change of one would be lost, and an old `versionId` shows that somebody else
 * has saved meanwhile.
 */
export async function updateCode(
  call: Call<typeof PublishQuery, typeof TransformationChange>,
  service: Transformations,
  kind: CodeKind,
  toRecord: (code: VersionedCode, workspace: Workspace) => object,
): Promise<Answer> {
  const { workspace } = call
  const id = call.param('id')
  const body: Readonly<Record<string, unknown>> = call.body
  const repeated = readOnlyMembers.filter((member) => body[member] !== undefined)
  if (repeated.length > 0) {
    const found = await service.find(workspace.id, kind, id)
    if (!found.ok) return toAnswer(found, () => ({}))
    const stored: Readonly<Record<string, unknown>> = { ...toRecord(found.value, workspace) }
    const changed = repeated.find((member) => !isDeepStrictEqual(body[member], stored[member]))
    if (changed !== undefined)
      return problem(
        'memberReadOnly',
        `body.${changed} is read-only and differs from what is stored; leave it out, or read the ${kind} again`,
      )
  }
  return saveCode(call, (publish) => service.update(workspace.id, kind, id, { ...call.body, publish }), toRecord)
}
