import { type ErrorCode, isJsonObject, type StageError } from '@sluice/core'

/** Why events fail at a destination, without what is in them: equal failures of a batch are one. */
export interface DestinationFailure {
  readonly workspaceId: string
  readonly destinationId: string
  readonly stage: string
  readonly code: ErrorCode
  /** Status that the destination answered, if it did. */
  readonly status?: number
  /** Code of what kept a request from being answered, such as ECONNREFUSED. */
  readonly cause?: string
  /** How many events. */
  readonly events: number
  /** When the first of them is tried again, milliseconds since the epoch. Absent when they ended as dead letters. */
  readonly nextTryAt?: number
}

/** Collects the failures of a batch. */
export class FailureTally {
  readonly #byKey = new Map<string, DestinationFailure>()

  add(
    place: Pick<DestinationFailure, 'workspaceId' | 'destinationId' | 'stage'>,
    { code, detail }: Pick<StageError, 'code' | 'detail'>,
    nextTryAt?: number,
  ): void {
    const { status, cause } = isJsonObject(detail) ? detail : {}
    const failure = {
      ...place,
      code,
      ...(typeof status === 'number' ? { status } : {}),
      ...(typeof cause === 'string' ? { cause } : {}),
    }
    const key = JSON.stringify([failure, nextTryAt === undefined])
    const known = this.#byKey.get(key)
    const first =
      known?.nextTryAt === undefined || nextTryAt === undefined ? nextTryAt : Math.min(known.nextTryAt, nextTryAt)
    this.#byKey.set(key, {
      ...failure,
      events: (known?.events ?? 0) + 1,
      ...(first === undefined ? {} : { nextTryAt: first }),
    })
  }

  failures(): readonly DestinationFailure[] {
    return [...this.#byKey.values()]
  }
}
