import { describe, expect, it } from 'vitest'
import { jsonPathsOf, type PathRoot } from './json-paths.ts'

/** The roots below which a path ends. */
function rootsOf(path: string, type: string): readonly PathRoot[] {
  return [...jsonPathsOf([path], type).keys()]
}

describe('JSON paths', () => {
  it('name a part of events of one type', () => {
    expect(rootsOf('track.properties.cart', 'track')).toEqual(['properties'])
    expect(rootsOf('track.properties.cart', 'page')).toEqual([])
    expect(rootsOf('identify.context.traits.x', 'identify')).toEqual(['context'])
    expect(rootsOf('group.traits.org', 'group')).toEqual(['traits'])
  })

  it('are for track events without a type', () => {
    expect(rootsOf('cart.items', 'track')).toEqual(['properties', 'userProperties'])
    expect(rootsOf('cart.items', 'identify')).toEqual([])
    expect(rootsOf('cart.properties.color', 'track')).toEqual(['properties', 'userProperties'])
  })

  it('name nothing without a key', () => {
    for (const path of ['track.properties', '', '.', 'a..b', 'track.properties.'])
      expect(rootsOf(path, 'track')).toEqual([])
  })

  it('are trees', () => {
    const tree = jsonPathsOf(['a.b', 'a', 'a.b.c'], 'track').get('properties')
    expect(tree?.next.get('a')?.isEnd).toBe(true)
    expect(tree?.next.get('a')?.next.get('b')?.isEnd).toBe(true)
    expect(tree?.next.get('__proto__')).toBeUndefined()
  })
})
