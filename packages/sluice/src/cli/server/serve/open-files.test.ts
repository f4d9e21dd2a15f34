import { describe, expect, it } from 'vitest'
import { connectionRoom } from './open-files.ts'

describe('room for connections', () => {
  it('is what is wanted while the system lets the process open that many files, or does not say', () => {
    expect(connectionRoom(10_000, 10_500)).toEqual({ connectionsMax: 10_000 })
    expect(connectionRoom(10_000, undefined)).toEqual({ connectionsMax: 10_000 })
  })

  it('leaves files for stores and destinations, half of few', () => {
    expect(connectionRoom(10_000, 4_096)).toEqual({ connectionsMax: 3_596, openFiles: 4_096 })
    expect(connectionRoom(10_000, 256)).toEqual({ connectionsMax: 128, openFiles: 256 })
    expect(connectionRoom(100, 256)).toEqual({ connectionsMax: 100 })
  })
})
