import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Event } from '@sluice/core'
import { type DestinationDefinition, mapEvent } from '@sluice/destinations'
import { segmentActions } from '@sluice/segment-actions'
import { definitionsPath, segmentPeer } from './segment-engine.ts'

export interface DefinitionMemory {
  /** Heap that all of them take, without the packages that they share. */
  readonly heapBytes: number
  /** Length of their modules. */
  readonly textBytes: number
  readonly definitions: number
}

/**
 * Measures what loaded definitions take: those with automatic presets, which are compiled and used for events of all types.
 * Definitions with network clients of their own are left out: the memory would be that of their clients.
 */
export function measureDefinitionMemory(events: readonly Event[]): DefinitionMemory {
  const family = segmentActions(segmentPeer)
  // Loads what all of them share.
  const shared = family.load(family.types[0] ?? '')
  const kept: DestinationDefinition[] = []
  let textBytes = 0
  const before = heapBytes()
  for (const type of family.types.slice(1)) {
    const loaded = family.load(type)
    if (!loaded.ok || loaded.definition.action?.hasOwnNetwork) continue
    const { definition } = loaded
    if (definition.checkSettings?.({})?.length !== 0) continue
    for (const event of eventsOfAllTypes(events)) mapEvent(definition, event, {}, { now: 0 })
    kept.push(definition)
    textBytes += textBytesOf(join(definitionsPath, type.slice(family.prefix.length)))
  }
  const after = heapBytes()
  assert.ok(shared.ok && kept.length > 50, 'too few definitions could be loaded')
  return { heapBytes: after - before, textBytes, definitions: kept.length }
}

function heapBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function eventsOfAllTypes([event = {}]: readonly Event[]): readonly Event[] {
  return ['track', 'identify', 'page', 'screen', 'group', 'alias'].map((type) => ({ ...event, type }))
}

function textBytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
}
