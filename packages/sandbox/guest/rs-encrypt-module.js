// @ts-check

const call = callHost
export class JSEncrypt {
  #key = ''
  setKey(key) {
    this.#key = key ? `${key}` : ''
  }
  setPublicKey(key) {
    this.setKey(key)
  }
  setPrivateKey(key) {
    this.setKey(key)
  }
  encrypt(text) {
    return call('rsaEncrypt', this.#key, `${text}`)
  }
  decrypt(text) {
    return call('rsaDecrypt', this.#key, `${text}`)
  }
}
export default JSEncrypt
