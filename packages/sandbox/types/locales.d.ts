/**
 * What the engine of user code lacks: it has no `Intl` and no locales. TypeScript's own library declares them, so their
 * results get a type here that cannot be used.
 */

/** Not available in user code. Use `toFixed`, `toISOString`, or a library that formats by itself. */
interface NotAvailableInUserCode {
  readonly notAvailableInUserCode: never
}

type Locales = string | readonly string[]

interface Number {
  /** @deprecated Throws in user code, which has no locales. Use `toFixed`. */
  toLocaleString(locales?: Locales, options?: object): NotAvailableInUserCode
}
interface BigInt {
  /** @deprecated Throws in user code, which has no locales. Use `toString`. */
  toLocaleString(locales?: Locales, options?: object): NotAvailableInUserCode
}
interface Date {
  /** @deprecated Throws in user code, which has no locales. Use `toISOString`. */
  toLocaleString(locales?: Locales, options?: object): NotAvailableInUserCode
  /** @deprecated Throws in user code, which has no locales. Use `toISOString`. */
  toLocaleDateString(locales?: Locales, options?: object): NotAvailableInUserCode
  /** @deprecated Throws in user code, which has no locales. Use `toISOString`. */
  toLocaleTimeString(locales?: Locales, options?: object): NotAvailableInUserCode
}
interface String {
  /** @deprecated Throws in user code, which has no locales. Leave the locale out. */
  localeCompare(that: string, locales: Locales, options?: object): NotAvailableInUserCode
  /** @deprecated Throws in user code, which has no locales. Leave the locale out. */
  toLocaleUpperCase(locales: Locales): NotAvailableInUserCode
  /** @deprecated Throws in user code, which has no locales. Leave the locale out. */
  toLocaleLowerCase(locales: Locales): NotAvailableInUserCode
}

declare namespace Intl {
  interface NumberFormatConstructor {
    /** @deprecated There is no `Intl` in user code. */
    new (locales?: Locales, options?: object): NotAvailableInUserCode
    /** @deprecated There is no `Intl` in user code. */
    (locales?: Locales, options?: object): NotAvailableInUserCode
  }
  interface DateTimeFormatConstructor {
    /** @deprecated There is no `Intl` in user code. */
    new (locales?: Locales, options?: object): NotAvailableInUserCode
    /** @deprecated There is no `Intl` in user code. */
    (locales?: Locales, options?: object): NotAvailableInUserCode
  }
  interface CollatorConstructor {
    /** @deprecated There is no `Intl` in user code. */
    new (locales?: Locales, options?: object): NotAvailableInUserCode
    /** @deprecated There is no `Intl` in user code. */
    (locales?: Locales, options?: object): NotAvailableInUserCode
  }
}
