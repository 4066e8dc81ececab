// Named checks that are counted, and messages that are waited for.

let passed = 0;
let failed = 0;

/** Runs one check and prints its outcome; a failure does not stop the others. */
export async function check(name: string, body: () => unknown): Promise<void> {
  try {
    await body();
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Prints the closing line and ends the process, which fails when a check did. */
export function finish(): never {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

/** Messages in the order they came. */
export class Inbox<T> {
  readonly received: T[] = [];
  private arrived: () => void = () => {};

  push(message: T): void {
    this.received.push(message);
    this.arrived();
  }

  /** Resolves to the first message from position `from` on that fits. */
  async find(wanted: (message: T) => boolean, withinMs: number, from = 0): Promise<T> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const found = this.received.slice(from).find(wanted);
      if (found !== undefined) return found;
      const left = deadline - Date.now();
      if (left <= 0) {
        const others = JSON.stringify(this.received.slice(from));
        throw new Error(`not told within ${withinMs} ms; what came: ${others}`);
      }
      await this.change(left);
    }
  }

  private change(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.arrived = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Whether a process of this id exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
