import type { JsonObject } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSchemaLimits } from '../schema-limits.ts'
import { eventShape } from './event-shape.ts'
import { flattenEvent } from './flatten-event.ts'
import { ShapeTree } from './shape-tree.ts'

const limits = { keysPerEventMax: 3, depthMax: 3, pathLengthMax: 10 }
const none = { keysPerEvent: 0, depth: 0, pathLength: 0, pathCollisions: 0 }

describe('event shape', () => {
  it('takes the first keys in byte order, whatever their order in the event, and counts the rest', () => {
    const event = { d: 1, b: { z: 1, a: 'x' }, a: true, c: null, 'b-': 1 }
    const { schema, leftOut } = eventShape(event, limits)
    expect(Object.entries(schema)).toEqual([
      ['a', 'bool'],
      ['b-', 'float64'],
      ['b.a', 'string'],
    ])
    expect(leftOut).toEqual({ ...none, keysPerEvent: 2 })
  })

  it('omits values nested too deeply, and paths that are too long', () => {
    const event = { a: { b: { c: 1, d: { e: 1 } } }, long_enough: 1 }
    expect(eventShape(event, limits)).toMatchObject({
      schema: { 'a.b.c': 'float64' },
      leftOut: { ...none, depth: 1, pathLength: 1 },
    })
  })

  it('counts values with the same path as another value', () => {
    const { schema, slots, leftOut } = eventShape({ 'a.b': 'x', a: { b: 1 } }, limits)
    expect(schema).toEqual({ 'a.b': 'float64' })
    expect(slots).toEqual([-1, 0])
    expect(leftOut).toEqual({ ...none, pathCollisions: 1 })
  })

  it('distinguishes keys that end in a dot from objects', () => {
    const { schema } = eventShape({ 'a.': 1, a: { '': 'x', b: true } }, limits)
    expect(schema).toEqual({ 'a.': 'string', 'a.b': 'bool' })
  })

  it('handles a hundred thousand keys and levels', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]))
    expect(eventShape(wide, defaultSchemaLimits).leftOut.keysPerEvent).toBe(99_500)
    const deep = JSON.parse(`${'{"k":1,"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as JsonObject
    expect(eventShape(deep, defaultSchemaLimits)).toMatchObject({ leftOut: { depth: 1 } })
  })

  const key = fc.constantFrom('a', 'b', 'a.b', '', 'a.', '1', '__proto__', '\ud800', 'ä')
  const { event } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 1, 'x', '', -0),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('event'),
    ),
    event: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
  })) as { event: fc.Arbitrary<JsonObject> }

  it('has a slot for each value that a walk through the tree of shapes visits', () => {
    const law = fc.property(event, fc.integer({ min: 1, max: 5 }), (given, depthMax) => {
      const tree = new ShapeTree<true>({ depthMax })
      tree.walk(given)
      const { slots, paths } = eventShape(given, { ...defaultSchemaLimits, depthMax })
      expect(slots).toHaveLength(tree.valueCount)
      expect(slots.filter((slot) => slot >= 0).sort((a, b) => a - b)).toEqual(paths.map((_, i) => i))
    })
    fc.assert(law, { numRuns: 1_000 })
  })

  it('ends at the same node for events of the same shape, and only for those', () => {
    const law = fc.property(fc.array(event, { minLength: 2, maxLength: 20 }), (events) => {
      const tree = new ShapeTree<string>({ depthMax: 10 })
      for (const given of events) {
        const node = tree.walk(given)
        const shape = JSON.stringify(flattenEvent(given))
        expect(node?.leaf ?? shape).toBe(shape)
        if (node !== undefined) node.leaf = shape
      }
    })
    fc.assert(law, { numRuns: 300 })
  })
})
