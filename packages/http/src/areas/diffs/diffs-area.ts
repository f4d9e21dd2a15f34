import type { JsonObject, Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations/kit'
import type { RecordedQuery } from '@sluice/pipeline'
import type { Static } from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { type Answer, answer, problem, scopeMissing } from '../../gate/answer.ts'
import { isRevealed, revealQuery } from '../../gate/reveal-query.ts'
import type { SearchTurns } from '../../gate/search-turns.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { missingDestination, missingSource } from '../missing-destination.ts'
import { settingsOfCall } from '../settings-of-call.ts'
import { diffAnswer, diffBody, sampleUsual } from './diff-body.ts'

/** A change that is not made yet: of the code of a record, or of the settings of a destination. */
export type PlannedChange =
  | {
      readonly kind: 'transformation' | 'library'
      readonly id: string
      readonly next: { readonly versionId: string } | { readonly code: string }
    }
  | { readonly kind: 'settings'; readonly destinationId: string; readonly settings: JsonObject }

/** A comparison of what a workspace does now with what it would do after a change. */
export interface DiffCall {
  readonly workspace: Workspace
  readonly change: PlannedChange
  readonly events: RecordedQuery
  readonly isMasked: boolean
}

type Answered = Static<typeof diffAnswer>

/** The report of a comparison, and whether the log may have more events. */
export interface ComparedLog extends Readonly<Omit<Answered, 'masked' | 'groups'>> {
  readonly groups: readonly (Omit<Answered['groups'][number], 'byName'> & {
    readonly byName: readonly Answered['groups'][number]['byName'][number][]
  })[]
}

export type DiffRefusal = 'transformationUnknown' | 'libraryUnknown' | 'versionUnknown' | 'codeInvalid'

export interface DiffsAreaOptions {
  readonly gate: TokenGate
  readonly searches: SearchTurns
  readonly destinations: DestinationRegistry
  /** Runs both sides over events of the log. Nothing is sent, stored or counted. */
  compareLog(
    call: DiffCall,
  ): Promise<
    | { readonly ok: true; readonly value: ComparedLog }
    | { readonly ok: false; readonly error: { readonly code: DiffRefusal; readonly message: string } }
  >
}

/** `POST /v2/diffs`: what a change would do to events of the log. Source: packages/docs/api/diffs.md. */
export function createDiffsArea({ gate, searches, destinations, compareLog }: DiffsAreaOptions): Area {
  return createArea([
    gate.route({
      method: 'post',
      path: '/v2/diffs',
      operationId: 'compareLog',
      summary: 'Compare what leaves now with what would leave after a change, over events of the log',
      area: 'Diffs',
      scopes: ['operate'],
      query: revealQuery,
      body: diffBody,
      reveals: isRevealed,
      errors: [
        'diffUnchosen',
        'transformationUnknown',
        'libraryUnknown',
        'versionUnknown',
        'codeInvalid',
        'destinationMissing',
        'sourceMissing',
        'settingUnknown',
        'settingsInvalid',
        'searchesTooMany',
      ],
      responses: { 200: { description: 'The differences, grouped by place and kind.', schema: diffAnswer } },
      handle: ({ workspace, query: { reveal = false }, body: { what, events = {} }, allows }) => {
        if (what.code !== undefined && !allows('write')) return scopeMissing('write')
        const change = changeOf(what, workspace, destinations)
        if ('status' in change) return change
        const { sourceId, destinationId, from, to, sample = sampleUsual } = events
        const missing =
          missingSource(workspace, sourceId) ??
          (destinationId === undefined ? undefined : missingDestination(workspace, destinationId))
        if (missing) return missing
        return searches(workspace.id, async () => {
          const compared = await compareLog({
            workspace,
            change,
            events: {
              workspaceId: workspace.id,
              sourceId,
              destinationId,
              event: events.event,
              from: from === undefined ? undefined : Date.parse(from),
              to: to === undefined ? undefined : Date.parse(to),
              limit: sample,
            },
            isMasked: !reveal,
          })
          if (!compared.ok) return problem(compared.error.code, compared.error.message)
          return answer({ masked: !reveal, ...compared.value })
        })
      },
    }),
  ])
}

const unchosen =
  'what must name one record and what becomes of it: transformationId or libraryId with versionId or code, or destinationId with settings'

function changeOf(
  what: Static<typeof diffBody>['what'],
  workspace: Workspace,
  destinations: DestinationRegistry,
): PlannedChange | Answer {
  const { transformationId, libraryId, destinationId, versionId, code, settings } = what
  if ([transformationId, libraryId, destinationId].filter((id) => id !== undefined).length !== 1)
    return problem('diffUnchosen', unchosen)
  if ([versionId, code, settings].filter((each) => each !== undefined).length !== 1)
    return problem('diffUnchosen', unchosen)
  const id = transformationId ?? libraryId
  if (id !== undefined) {
    const next = versionId === undefined ? (code === undefined ? undefined : { code }) : { versionId }
    if (next === undefined) return problem('diffUnchosen', unchosen)
    return { kind: libraryId === undefined ? 'transformation' : 'library', id, next }
  }
  const destination = workspace.destinations.find((each) => each.id === destinationId)
  const definition = destination && destinations.get(destination.type)
  if (destination === undefined || definition === undefined)
    return (
      missingDestination(workspace, String(destinationId)) ?? problem('destinationMissing', 'its type is not known')
    )
  if (settings === undefined) return problem('diffUnchosen', unchosen)
  const parsed = settingsOfCall('what.settings', definition, destination, settings as JsonObject)
  return parsed.ok ? { kind: 'settings', destinationId: destination.id, settings: parsed.settings } : parsed.answer
}
