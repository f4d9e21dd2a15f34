/** The same type while its value is made. */
export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }
