#!/usr/bin/env node
// Starts the program of this machine, which is in an optional package of its own, so
// that nothing has to be fetched or run when this package is installed. Whoever
// started this script speaks to the program itself: it has the same streams, gets the
// signals, and its end is the end of this script.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const windows = process.platform === 'win32';
const own = `vademecum-${process.platform}-${process.arch}`;

function program() {
  try {
    return require.resolve(`${own}/bin/vademecum${windows ? '.exe' : ''}`);
  } catch {
    console.error(`vademecum: the package ${own} is not installed\n` +
      'hint: install vademecum once more, without --omit=optional; there are packages for Linux, macOS and Windows on x64 and arm64');
    process.exit(1);
  }
}

const child = spawn(program(), process.argv.slice(2), { stdio: 'inherit', windowsHide: true });

child.on('error', (err) => {
  console.error(`vademecum: the program cannot be started: ${err.message}`);
  process.exit(1);
});

child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.exitCode = 128 + constants.signals[signal];
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

// A terminal sends Ctrl-C to the program too, and a second one would end it before it
// has finished.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) child.kill('SIGINT');
});
for (const signal of windows ? [] : ['SIGTERM', 'SIGHUP', 'SIGQUIT']) {
  process.on(signal, () => child.kill(signal));
}
