import type { JsonValue } from '@sluice/core'

/** Converts a value to a string; objects and lists become JSON. */
export function text(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const trim = (value: JsonValue): string => text(value).trim()

export const lower = (value: JsonValue): string => text(value).toLowerCase()

export const upper = (value: JsonValue): string => text(value).toUpperCase()

/** Keeps the first `length` UTF-16 units, without splitting a character. */
export function cut(length: number): (value: JsonValue) => string {
  return (value) =>
    text(value)
      .slice(0, length)
      .replace(/[\uD800-\uDBFF]$/, '')
}

/** Keeps as many whole characters as fit into `bytesMax` bytes of UTF-8. */
export function cutBytes(bytesMax: number): (value: JsonValue) => string {
  return (value) => {
    const whole = text(value)
    const { read } = new TextEncoder().encodeInto(whole, new Uint8Array(bytesMax))
    return whole.slice(0, read)
  }
}
