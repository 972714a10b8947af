import '../../kit/tokens.css';
import '../../kit/base.css';
import './console.css';
import { guardDoubleClick } from '../../kit/guard-double-click.ts';
import { renderConsole } from './app.tsx';
import { reloadOnNewBuild } from './reload-on-new-build.ts';

reloadOnNewBuild();
guardDoubleClick();
renderConsole();
