import type { JsonObject } from '@sluice/core'
import { dialectOf } from '../dialects/dialect-of.ts'
import type { WarehouseProvider } from '../dialects/provider.ts'
import type { PrepareOptions } from '../load/prepare-load.ts'
import type { WarehouseSettings } from './warehouse-settings.ts'

const dayMs = 86_400_000

/** How rows of these settings are loaded. */
export function loadSettings(
  given: JsonObject,
  provider: WarehouseProvider,
): Pick<PrepareOptions, 'mode' | 'nameOf' | 'windowMs'> {
  const { loadMode, mergeWindowDays = 0 } = given as unknown as WarehouseSettings
  const { isUpperCase } = dialectOf(provider)
  return {
    mode: loadMode === 'merge' ? 'replace' : 'append',
    windowMs: mergeWindowDays > 0 ? mergeWindowDays * dayMs : undefined,
    nameOf: (name) => (isUpperCase ? name.toUpperCase() : name),
  }
}
