import type { WhenUnavailable } from '@sluice/regulation'
import type { SchemaLimits } from '@sluice/schema'
import type { StudioFont } from '@sluice/studio'
import type { SandboxFlags } from '../../flags/sandbox-flags.ts'
import type { StorageFlags } from '../../flags/storage-flags.ts'
import type { EventsFile } from './feed-events.ts'

/** The flags of `sluice serve`. */
export interface ServeFlags extends SandboxFlags, StorageFlags {
  readonly workspace?: string
  readonly sample?: true
  readonly demo?: true
  readonly localDestinations?: true
  readonly data: string
  readonly store?: string
  readonly ledger?: string
  readonly backupsKeptDays?: number
  readonly leaseSeconds?: number
  readonly host: string
  readonly port: number
  readonly governancePort?: number
  readonly strictCompatibility?: true
  readonly schemaLimit: Partial<SchemaLimits>
  readonly allowAddress: readonly string[]
  readonly clientIpHeader?: string
  readonly publicAddress?: string
  readonly retryMinutes?: number
  readonly dedupMinutes?: number
  readonly takeGoodEvents?: boolean
  readonly deadLetters?: number
  readonly deadLetterDays?: number
  readonly receipts?: number | false
  readonly logLevel: string
  readonly logFormat?: 'text' | 'json'
  readonly deletionsPerHour?: number
  readonly events: readonly EventsFile[]
  readonly once?: true
  readonly studio: boolean
  readonly studioLink?: true
  readonly studioFont: StudioFont
  readonly suppressionUnavailable?: WhenUnavailable
  readonly trustedWorkspace?: readonly string[]
  readonly connections?: number
  readonly processes?: number | 'auto'
  readonly stopSeconds: number
}
