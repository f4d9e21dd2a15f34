import { readAll } from '../../api/read-all.ts'

/** A destination, as `GET /v2/destinations` shows it. */
export interface Destination {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
  readonly managedBy: 'file' | 'api'
  readonly revision?: number
  readonly transformation?: { readonly id?: string; readonly name: string; readonly versionId: string }
  readonly problems?: readonly { readonly path: string; readonly value: string; readonly allowed: string }[]
}

/** A source, as `GET /v2/sources` shows it: write keys are masked for those who lack the scope `write`. */
export interface Source {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly writeKey: string
  readonly formerWriteKey?: { readonly writeKey: string; readonly validUntil: string }
  readonly managedBy: 'file' | 'api'
  readonly revision?: number
}

export interface Connection {
  readonly id: string
  readonly sourceId: string
  readonly destinationId: string
  readonly managedBy: 'file' | 'api'
}

/** A destination type, as `GET /destination-definitions` shows it. */
export interface Definition {
  readonly type: string
  readonly otherTypes?: readonly string[]
  readonly displayName: string
  readonly settings: SettingsSchema
  readonly secretKeys: readonly string[]
  readonly supportedMessageTypes: readonly string[]
  readonly isTestable: boolean
  readonly checksCredentials: boolean
}

interface SettingsSchema {
  readonly properties?: Readonly<Record<string, Setting>>
  readonly required?: readonly string[]
}

/** JSON Schema of one setting, with words for forms. */
export interface Setting {
  readonly title?: string
  readonly description?: string
  readonly allowed?: string
  /** A list where several are possible. */
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly choices?: Readonly<Record<string, string>>
  readonly default?: unknown
  /** Heading of the part of the form that it belongs to. */
  readonly group?: string
  readonly placeholder?: string
  /** Shown only while other settings have these values; a list means any of them. */
  readonly shownWhen?: Readonly<Record<string, unknown>>
  /** Schema of the elements of a list. */
  readonly items?: Setting
  /** Schemas of the members of an object. */
  readonly properties?: Readonly<Record<string, Setting>>
  readonly required?: readonly string[]
  /** Other forms that a value may have. */
  readonly anyOf?: readonly Setting[]
}

/** What the API shows in place of a secret. */
export const maskedText = '••••••'

export interface Records {
  readonly sources: readonly Source[]
  readonly destinations: readonly Destination[]
  readonly connections: readonly Connection[]
}

export async function readRecords(signal: AbortSignal): Promise<Records> {
  const [sources, destinations, connections] = await Promise.all([
    readAll<Source>('/v2/sources', 'sources', signal),
    readAll<Destination>('/v2/destinations', 'destinations', signal),
    readAll<Connection>('/v2/connections', 'connections', signal),
  ])
  return { sources, destinations, connections }
}
