import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignLanes } from './assign-lanes.ts'
import { laneCount } from './lane-of.ts'

const anyNodes = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 40 })

describe('lanes', () => {
  it('are each held by one process, and no process holds more than its share', () => {
    fc.assert(
      fc.property(anyNodes, (nodes) => {
        const held = [...assignLanes(laneCount, nodes).values()].flatMap((lanes) => [...lanes])
        expect(held.sort((a, b) => a - b)).toEqual(Array.from({ length: laneCount }, (_, lane) => lane))
        const most = Math.max(...[...assignLanes(laneCount, nodes).values()].map(({ size }) => size))
        expect(most).toBeLessThanOrEqual(Math.ceil(laneCount / nodes.length))
      }),
    )
  })

  it('are assigned alike by all processes, in whatever order they read who is there', () => {
    fc.assert(
      fc.property(anyNodes, (nodes) => {
        expect(new Map(assignLanes(laneCount, [...nodes].reverse()))).toEqual(assignLanes(laneCount, nodes))
      }),
    )
  })

  it('mostly stay where they are when a process joins', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid(), { minLength: 4, maxLength: 9 }), ([joining = '', ...nodes]) => {
        const before = assignLanes(laneCount, nodes)
        const after = assignLanes(laneCount, [...nodes, joining])
        const moved = nodes.flatMap((id) => [...(after.get(id) ?? [])].filter((lane) => !before.get(id)?.has(lane)))
        expect(moved.length).toBeLessThanOrEqual(laneCount / 2)
      }),
    )
  })
})
