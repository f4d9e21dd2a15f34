// @ts-check
// biome-ignore-all lint/style/useTemplate: the engine makes a template by String.prototype.concat, which user code may replace
// biome-ignore-all lint/complexity/noArguments: a rest parameter would change the length of the function, which user code sees

/** The globals TextEncoder, TextDecoder, atob and btoa. */
;(() => {
  const call = callHost
  const { apply, defineProperty } = Reflect
  const NativeBytes = Uint8Array
  const NativeBuffer = ArrayBuffer
  const NativeTypeError = TypeError
  const NativeRangeError = RangeError
  const { isView } = ArrayBuffer
  const { fromCharCode } = String
  const { slice: sliceText, toLowerCase, trim, toWellFormed, charCodeAt } = String.prototype
  const { set: setBytes, subarray } = Object.getPrototypeOf(Uint8Array.prototype)
  // In pieces, because the arguments of a call lie on the stack.
  const pieceLength = 1024

  function latin1(bytes) {
    let text = ''
    for (let i = 0; i < bytes.length; i += pieceLength)
      text += apply(fromCharCode, undefined, apply(subarray, bytes, [i, i + pieceLength]))
    return text
  }

  class TextEncoder {
    get encoding() {
      return 'utf-8'
    }

    encode(text = '') {
      return new NativeBytes(call('utf8Encode', `${text}`))
    }

    encodeInto(text, target) {
      if (!(target instanceof NativeBytes)) throw new NativeTypeError('encodeInto needs a Uint8Array')
      const source = apply(toWellFormed, `${text}`, [])
      let read = 0
      let written = 0
      while (read < source.length) {
        const code = apply(charCodeAt, source, [read])
        const units = code >= 0xd800 && code < 0xdc00 ? 2 : 1
        const size = code < 0x80 ? 1 : code < 0x800 ? 2 : units === 2 ? 4 : 3
        if (written + size > target.length) break
        read += units
        written += size
      }
      apply(setBytes, target, [new NativeBytes(call('utf8Encode', apply(sliceText, source, [0, read])))])
      return { read, written }
    }
  }

  class TextDecoder {
    #fatal
    #ignoreBom
    #waiting = ''
    #started = false

    constructor(label = 'utf-8', options = {}) {
      const name = apply(toLowerCase, apply(trim, `${label}`, []), [])
      if (name !== 'utf-8' && name !== 'utf8' && name !== 'unicode-1-1-utf-8')
        throw new NativeRangeError('TextDecoder knows UTF-8 only, not ' + label)
      this.#fatal = !!options?.fatal
      this.#ignoreBom = !!options?.ignoreBOM
    }

    get encoding() {
      return 'utf-8'
    }
    get fatal() {
      return this.#fatal
    }
    get ignoreBOM() {
      return this.#ignoreBom
    }

    decode(input, options) {
      const stream = !!options?.stream
      const bytes = this.#waiting + (input === undefined ? '' : latin1(bytesOf(input)))
      this.#waiting = ''
      let answer
      try {
        answer = call('utf8Decode', bytes, this.#fatal, stream)
      } catch (thrown) {
        this.#started = false
        throw thrown
      }
      let text = answer[0]
      if (!this.#started && !this.#ignoreBom && text[0] === '\ufeff') text = apply(sliceText, text, [1])
      this.#started = stream && (this.#started || answer[0] !== '')
      if (stream) this.#waiting = answer[1]
      return text
    }
  }

  function bytesOf(input) {
    if (isView(input)) return new NativeBytes(input.buffer, input.byteOffset, input.byteLength)
    if (input instanceof NativeBuffer) return new NativeBytes(input)
    throw new NativeTypeError('TextDecoder takes a buffer or a view of one')
  }

  const atob = function atob(text) {
    if (arguments.length === 0) throw new NativeTypeError('atob needs 1 argument')
    return call('base64Read', `${text}`)
  }
  const btoa = function btoa(text) {
    if (arguments.length === 0) throw new NativeTypeError('btoa needs 1 argument')
    return call('base64Write', `${text}`)
  }
  const install = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true })
  install('TextEncoder', TextEncoder)
  install('TextDecoder', TextDecoder)
  install('atob', atob)
  install('btoa', btoa)
})()
