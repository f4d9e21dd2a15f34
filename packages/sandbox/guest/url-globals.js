// @ts-check
// biome-ignore-all lint/style/useTemplate: the engine makes a template by String.prototype.concat, which user code may replace
// biome-ignore-all lint/complexity/noArguments: a rest parameter would change the length of the function, which user code sees

/**
 * The guest classes URL and URLSearchParams. Both are in one file because they reference each other: a change of the
 * parameters changes the URL and vice versa. Parameters are a flat list of names and values.
 *
 * Both classes use a WeakMap. The engine's binary format would write a plain object without calling `toJSON`, but it
 * refuses objects with a WeakMap. So a URL in a returned event becomes its text, as with JSON.stringify.
 */
;(() => {
  const call = callHost
  const { apply, construct, get, ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect
  const { isArray } = Array
  const NativeTypeError = TypeError
  const NativeWeakMap = WeakMap
  const { toWellFormed } = String.prototype
  const { sort } = Array.prototype
  const iteratorKey = Symbol.iterator
  const written = (value) => apply(toWellFormed, `${value}`, [])
  const need = (what, given, least) => {
    if (given < least) throw new NativeTypeError(what + ' needs ' + least + (least === 1 ? ' argument' : ' arguments'))
  }

  class Unserialisable {
    constructor() {
      // biome-ignore lint/correctness/noConstructorReturn: makes the object a WeakMap
      return construct(NativeWeakMap, [], new.target)
    }
  }

  function pairsOf(init) {
    if (init === undefined) return []
    if (init === null || (typeof init !== 'object' && typeof init !== 'function'))
      return call('paramsRead', written(init))
    const pairs = []
    const add = (pair) => {
      const items = isArray(pair) ? pair : pair !== null && typeof pair === 'object' ? [...pair] : []
      if (items.length !== 2) throw new NativeTypeError('URLSearchParams takes pairs of a name and a value')
      pairs[pairs.length] = written(items[0])
      pairs[pairs.length] = written(items[1])
    }
    if (isArray(init)) for (let i = 0; i < init.length; i += 1) add(init[i])
    else if (init[iteratorKey] !== undefined && init[iteratorKey] !== null) for (const pair of init) add(pair)
    else {
      const keys = ownKeys(init)
      for (let i = 0; i < keys.length; i += 1) {
        const described = typeof keys[i] === 'string' ? getOwnPropertyDescriptor(init, keys[i]) : undefined
        if (described === undefined || !described.enumerable) continue
        pairs[pairs.length] = written(keys[i])
        pairs[pairs.length] = written(get(init, keys[i]))
      }
    }
    return pairs
  }

  let linkedParams
  let listOf
  let replaceList

  class URLSearchParams extends Unserialisable {
    #list
    #changed = () => {}

    static {
      linkedParams = (list, changed) => {
        const params = new URLSearchParams()
        params.#list = list
        params.#changed = changed
        return params
      }
      listOf = (params) => params.#list
      replaceList = (params, list) => {
        params.#list = list
      }
    }

    constructor(init) {
      super()
      this.#list = init !== null && typeof init === 'object' && #list in init ? this.#copy(init.#list) : pairsOf(init)
    }

    #copy(list) {
      const copy = []
      for (let i = 0; i < list.length; i += 1) copy[i] = list[i]
      return copy
    }

    // Keeps the pairs that pass the test, and updates the URL.
    #keep(wanted) {
      const kept = []
      for (let i = 0; i < this.#list.length; i += 2) {
        if (!wanted(this.#list[i], this.#list[i + 1])) continue
        kept[kept.length] = this.#list[i]
        kept[kept.length] = this.#list[i + 1]
      }
      this.#list = kept
      this.#changed()
    }

    #indexOf(name, value) {
      for (let i = 0; i < this.#list.length; i += 2)
        if (this.#list[i] === name && (value === undefined || this.#list[i + 1] === value)) return i
      return -1
    }

    get size() {
      return this.#list.length / 2
    }

    append(name, value) {
      need('append', arguments.length, 2)
      const texts = [written(name), written(value)]
      this.#list[this.#list.length] = texts[0]
      this.#list[this.#list.length] = texts[1]
      this.#changed()
    }

    delete(name, value) {
      need('delete', arguments.length, 1)
      const wantedName = written(name)
      const wantedValue = value === undefined ? undefined : written(value)
      this.#keep((has, hasValue) => has !== wantedName || (wantedValue !== undefined && hasValue !== wantedValue))
    }

    get(name) {
      need('get', arguments.length, 1)
      const at = this.#indexOf(written(name))
      return at < 0 ? null : this.#list[at + 1]
    }

    getAll(name) {
      need('getAll', arguments.length, 1)
      const wanted = written(name)
      const found = []
      for (let i = 0; i < this.#list.length; i += 2)
        if (this.#list[i] === wanted) found[found.length] = this.#list[i + 1]
      return found
    }

    has(name, value) {
      need('has', arguments.length, 1)
      return this.#indexOf(written(name), value === undefined ? undefined : written(value)) >= 0
    }

    set(name, value) {
      need('set', arguments.length, 2)
      const wanted = written(name)
      const text = written(value)
      const at = this.#indexOf(wanted)
      let seen = at < 0
      if (seen) {
        this.#list[this.#list.length] = wanted
        this.#list[this.#list.length] = text
        this.#changed()
        return
      }
      this.#list[at + 1] = text
      // biome-ignore lint/suspicious/noAssignInExpressions: keeps the first of them and drops the others
      this.#keep((has) => has !== wanted || (!seen && (seen = true)))
    }

    sort() {
      const entries = []
      for (let i = 0; i < this.#list.length; i += 2)
        entries[entries.length] = { name: this.#list[i], value: this.#list[i + 1] }
      apply(sort, entries, [(a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)])
      const list = []
      for (let i = 0; i < entries.length; i += 1) {
        list[2 * i] = entries[i].name
        list[2 * i + 1] = entries[i].value
      }
      this.#list = list
      this.#changed()
    }

    forEach(each, self) {
      if (typeof each !== 'function') throw new NativeTypeError('forEach needs a function')
      for (let i = 0; i < this.#list.length; i += 2) apply(each, self, [this.#list[i + 1], this.#list[i], this])
    }

    *entries() {
      for (let i = 0; i < this.#list.length; i += 2) yield [this.#list[i], this.#list[i + 1]]
    }

    *keys() {
      for (let i = 0; i < this.#list.length; i += 2) yield this.#list[i]
    }

    *values() {
      for (let i = 0; i < this.#list.length; i += 2) yield this.#list[i + 1]
    }

    toString() {
      return call('paramsWrite', this.#list)
    }
  }

  const partsOf = (url, base) => call('urlParts', written(url), base === undefined ? undefined : written(base))
  // Given in place of a text by our own code only: the parts are known already.
  let knownParts

  class URL extends Unserialisable {
    #parts
    #params
    // True while the parts do not yet reflect changed parameters.
    #stale = false

    constructor(url, base) {
      super()
      const known = knownParts
      knownParts = undefined
      if (known === undefined) need('URL', arguments.length, 1)
      const parts = known ?? partsOf(url, base)
      if (parts === null) throw invalid(url)
      this.#parts = parts
    }

    static canParse(url, base) {
      need('canParse', arguments.length, 1)
      return partsOf(url, base) !== null
    }

    static parse(url, base) {
      need('parse', arguments.length, 1)
      const parts = partsOf(url, base)
      if (parts === null) return null
      knownParts = parts
      return new URL(url)
    }

    #fresh() {
      if (this.#stale) {
        this.#parts = call('urlSetParams', this.#parts.href, listOf(this.#params))
        this.#stale = false
      }
      return this.#parts
    }

    #set(key, value) {
      const text = written(value)
      let parts
      try {
        parts = call('urlSet', this.#fresh().href, key, text)
      } catch (thrown) {
        throw key === 'href' && partsOf(text) === null ? invalid(text) : thrown
      }
      const changed = parts.search !== this.#parts.search
      this.#parts = parts
      if (changed && this.#params !== undefined) replaceList(this.#params, pairsOf(parts.search))
    }

    get href() {
      return this.#fresh().href
    }
    set href(value) {
      this.#set('href', value)
    }
    get origin() {
      return this.#parts.origin
    }
    get protocol() {
      return this.#parts.protocol
    }
    set protocol(value) {
      this.#set('protocol', value)
    }
    get username() {
      return this.#parts.username
    }
    set username(value) {
      this.#set('username', value)
    }
    get password() {
      return this.#parts.password
    }
    set password(value) {
      this.#set('password', value)
    }
    get host() {
      return this.#parts.host
    }
    set host(value) {
      this.#set('host', value)
    }
    get hostname() {
      return this.#parts.hostname
    }
    set hostname(value) {
      this.#set('hostname', value)
    }
    get port() {
      return this.#parts.port
    }
    set port(value) {
      this.#set('port', value)
    }
    get pathname() {
      return this.#fresh().pathname
    }
    set pathname(value) {
      this.#set('pathname', value)
    }
    get search() {
      return this.#fresh().search
    }
    set search(value) {
      this.#set('search', value)
    }
    get hash() {
      return this.#parts.hash
    }
    set hash(value) {
      this.#set('hash', value)
    }

    get searchParams() {
      if (this.#params === undefined)
        this.#params = linkedParams(pairsOf(this.#parts.search), () => {
          this.#stale = true
        })
      return this.#params
    }

    toString() {
      return this.#fresh().href
    }
    toJSON() {
      return this.#fresh().href
    }
  }

  function invalid(input) {
    const error = new NativeTypeError('Invalid URL')
    error.code = 'ERR_INVALID_URL'
    error.input = `${input}`
    return error
  }

  const install = (type, name) => {
    defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true })
    defineProperty(globalThis, name, { value: type, writable: true, configurable: true })
  }
  defineProperty(URLSearchParams.prototype, iteratorKey, {
    value: URLSearchParams.prototype.entries,
    writable: true,
    configurable: true,
  })
  install(URL, 'URL')
  install(URLSearchParams, 'URLSearchParams')
})()
