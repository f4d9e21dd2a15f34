import { describe, expect, it } from 'vitest'
import { maskedText } from '../../records.ts'
import { changedSettings, titlesOf } from './changed-settings.ts'

const definition = {
  settings: {
    properties: {
      url: { title: 'Address', type: 'string' },
      method: { title: 'Method', type: 'string', default: 'POST' },
      token: { title: 'Token', type: 'string' },
    },
  },
}

describe('settings that were changed', () => {
  it('are only those that differ, so that the stored secrets stay in use', () => {
    const before = { url: 'https://a.test/', token: maskedText, method: 'PUT' }
    expect(changedSettings(definition, before, { ...before, url: 'https://b.test/' })).toEqual({
      url: 'https://b.test/',
    })
    expect(changedSettings(definition, before, { ...before })).toEqual({})
  })

  it('have their default when they are emptied, or an empty text', () => {
    const before = { url: 'https://a.test/', method: 'PUT' }
    expect(changedSettings(definition, before, { url: undefined, method: undefined })).toEqual({
      url: '',
      method: 'POST',
    })
  })

  it('are named without their values', () => {
    expect(titlesOf(definition, { token: 'a new secret', url: 'https://b.test/' })).toBe('Token, Address')
  })
})
