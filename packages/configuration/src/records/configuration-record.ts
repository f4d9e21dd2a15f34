import type { JsonObject } from '@sluice/core'

/** Kinds of parts of tracking plans. They have an effect through the plans of sources that are linked to them. */
export const planKinds = ['category', 'customType', 'property', 'event', 'plan'] as const

export type PlanKind = (typeof planKinds)[number]

/** Kinds of what can be configured through the API. A `pause` has the id of its destination; a `query` is SQL that was saved. */
export const recordKinds = [
  'workspace',
  'source',
  'destination',
  'connection',
  'token',
  'credential',
  'pause',
  'query',
  ...planKinds,
] as const

export type RecordKind = (typeof recordKinds)[number]

export interface RecordKey {
  readonly workspaceId: string
  readonly kind: RecordKind
  /** The id within the workspace and kind; the name of a credential, the id of the workspace itself. */
  readonly id: string
}

/** One stored part of the configuration. */
export interface ConfigurationRecord extends RecordKey {
  /** 1 when it was created, one more with each change. */
  readonly revision: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
  /** The name that a client gave it, unique within its workspace and kind. */
  readonly externalId?: string
  /** The part as a workspace file has it, without its id. A credential is `{value}`. */
  readonly body: JsonObject
}

/** Kinds that a workspace file cannot have, and that have no effect by themselves. */
type AsideKind = PlanKind | 'query'

/** Whether records of a kind are stored beside a workspace, and are no part of it. */
export function isAsideKind(kind: RecordKind): kind is AsideKind {
  return kind === 'query' || planKinds.some((each) => each === kind)
}

/** Returns a text that is the same for equal keys only. */
export function keyText({ workspaceId, kind, id }: RecordKey): string {
  return JSON.stringify([workspaceId, kind, id])
}
