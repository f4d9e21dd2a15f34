import type { TextBuffer, TextBufferPort } from './text-buffer.ts'

/** Characters that one call makes a text of, because its arguments lie on the stack. */
const pieceLength = 4_096

/** TextDecoder would not do: its 'latin1' is windows-1252, and its 'utf-16le' replaces lone surrogates. */
class PortableTextBuffer extends Uint8Array<ArrayBuffer> implements TextBuffer {
  // Views of it are plain arrays.
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array
  }

  latin1Slice(start: number, end: number): string {
    if (end - start <= pieceLength) return textOfUnits(this.subarray(start, end))
    let text = ''
    for (let at = start; at < end; at += pieceLength)
      text += textOfUnits(this.subarray(at, Math.min(end, at + pieceLength)))
    return text
  }

  ucs2Slice(start: number, end: number): string {
    let text = ''
    for (let at = start; at + 1 < end; at += pieceLength * 2) {
      const units = new Uint16Array(Math.min(pieceLength, (end - at) >>> 1))
      for (let i = 0; i < units.length; i += 1) units[i] = (this[at + i * 2] ?? 0) | ((this[at + i * 2 + 1] ?? 0) << 8)
      text += textOfUnits(units)
    }
    return text
  }

  latin1Write(text: string, offset: number, length: number): number {
    for (let i = 0; i < length; i += 1) this[offset + i] = text.charCodeAt(i)
    return length
  }

  ucs2Write(text: string, offset: number, length: number): number {
    for (let i = 0; i < length / 2; i += 1) {
      const unit = text.charCodeAt(i)
      this[offset + i * 2] = unit
      this[offset + i * 2 + 1] = unit >>> 8
    }
    return length
  }
}

const textOfUnits = (units: Uint8Array | Uint16Array): string => String.fromCharCode.apply(undefined, units as never)

export const allocateTextBuffer: TextBufferPort['allocateTextBuffer'] = (length) =>
  new PortableTextBuffer(new ArrayBuffer(length))

export const toTextBuffer: TextBufferPort['toTextBuffer'] = (bytes) =>
  new PortableTextBuffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)

export const indexOfByte: TextBufferPort['indexOfByte'] = Uint8Array.prototype.indexOf
