package dev.heddle.vm.lowering;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.GenericInstruction;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.Variable;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Lowers one function: walks its statements and hands each instruction to the class that knows its
/// chapter.
final class FunctionLowering {
    private final ModuleLayout layout;
    private final Map<Integer, String> files;
    private final List<Site> sites;
    private final CodeBuilder builder;
    private final IntegerLowering integers;
    private final MoveLowering moves;
    private final FloatLowering floats;
    private final ComparisonLowering comparisons;
    private final ConversionLowering conversions;
    private final MemoryLowering memory;
    private final WarpLowering warp;
    private final MultiplyLowering products;
    private final WmmaLowering wmma;
    private final WgmmaLowering wgmma;
    private final ControlLowering control;
    private @Nullable String sourceLine;

    FunctionLowering(ModuleLayout layout, Map<Integer, String> files, List<Site> sites) {
        this.layout = layout;
        this.files = files;
        this.sites = sites;
        builder = new CodeBuilder(layout);
        integers = new IntegerLowering(builder);
        moves = new MoveLowering(builder);
        floats = new FloatLowering(builder);
        comparisons = new ComparisonLowering(builder);
        conversions = new ConversionLowering(builder);
        memory = new MemoryLowering(builder);
        warp = new WarpLowering(builder, memory);
        products = new MultiplyLowering(builder, warp);
        wmma = new WmmaLowering(builder, memory, warp);
        wgmma = new WgmmaLowering(builder, warp, products);
        control = new ControlLowering(builder, layout);
    }

    Code lower(int index, Function function) {
        List<Code.Parameter> parameters =
                function.isEntry() ? kernelParameters(function) : place(function.parameters());
        List<Code.Parameter> results = place(function.results());
        Statement.Block body = function.body();
        if (body == null) {
            throw new IllegalArgumentException(function.name() + " has no body");
        }
        walk(body);
        builder.finish(new Exit.Return(null, null, -1));
        return new Code(
                index,
                function.name(),
                function.isEntry(),
                parameters,
                results,
                new BlockOrder(builder.blocks()).blocks(),
                builder.count(Width.PREDICATE),
                builder.count(Width.WORD),
                builder.count(Width.LONG),
                (int) ModuleLayout.align(builder.frameBytes(), 16),
                layout.dynamicOffset(),
                builder.placed(),
                0);
    }

    private List<Code.Parameter> kernelParameters(Function function) {
        List<Code.Parameter> parameters = new ArrayList<>();
        long end = 0;
        for (Variable variable : function.parameters()) {
            end = ModuleLayout.align(end, variable.effectiveAlignment());
            int offset = ModuleLayout.size("parameters", end);
            builder.placeKernelParameter(variable, offset);
            parameters.add(
                    new Code.Parameter(
                            variable.name(),
                            offset,
                            ModuleLayout.size("a parameter", variable.sizeInBytes()),
                            null,
                            null));
            end += variable.sizeInBytes();
        }
        return parameters;
    }

    private List<Code.Parameter> place(List<Variable> variables) {
        List<Code.Parameter> parameters = new ArrayList<>();
        for (Variable variable : variables) {
            int bytes = ModuleLayout.size("a parameter", variable.sizeInBytes());
            String name = variable.name();
            if (variable.space() != StateSpace.REG) {
                int offset = builder.placeInFrame(variable);
                parameters.add(new Code.Parameter(name, offset, bytes, null, null));
            } else if (CodeBuilder.isWide(variable)) {
                parameters.add(
                        new Code.Parameter(
                                name,
                                0,
                                bytes,
                                builder.half(name, variable, false),
                                builder.half(name, variable, true)));
            } else {
                Register register = builder.register(name, variable);
                parameters.add(new Code.Parameter(name, 0, bytes, register, null));
            }
        }
        return parameters;
    }

    private void walk(Statement.Block block) {
        control.openScope(block);
        for (Statement statement : block.statements()) {
            switch (statement) {
                case Statement.Label(String name, _) -> builder.enter(control.label(name));
                case Statement.Block inner -> walk(inner);
                case GenericInstruction instruction -> instruction(instruction);
                case Statement.Location location -> locate(location);
                case Variable _,
                        Statement.Pragma _,
                        Statement.BranchTargets _,
                        Statement.CallTargets _,
                        Statement.CallPrototype _ -> {}
            }
        }
        control.closeScope();
    }

    private void locate(Statement.Location location) {
        if (location.line() == 0) {
            return;
        }
        String place = files.get(location.file()) + ":" + location.line();
        Statement.Inlined inlined = location.inlined();
        sourceLine =
                inlined == null
                        ? place
                        : "%s, inlined at %s:%d"
                                .formatted(place, files.get(inlined.file()), inlined.line());
    }

    private void instruction(GenericInstruction instruction) {
        Site site = new Site(sites.size(), instruction, sourceLine);
        sites.add(site);
        try {
            builder.begin(site, instruction);
            dispatch(Form.of(instruction));
        } catch (UnsupportedInstruction e) {
            String reason = e.getMessage() == null ? instruction.mnemonic() : e.getMessage();
            builder.add(new Step.Unsupported(site, builder.guard(), reason));
        }
    }

    private void dispatch(Form form) {
        switch (form.opcode()) {
            case "add", "sub" -> {
                if (FloatLowering.isFloat(form.type())) {
                    floats.arithmetic(form);
                } else {
                    integers.addOrSubtract(form);
                }
            }
            case "mul" -> {
                if (FloatLowering.isFloat(form.type())) {
                    floats.arithmetic(form);
                } else {
                    integers.multiply(form);
                }
            }
            case "mad" -> {
                if (FloatLowering.isFloat(form.type())) {
                    floats.arithmetic(form);
                } else {
                    integers.multiplyAdd(form);
                }
            }
            case "fma" -> floats.arithmetic(form);
            case "mul24" -> integers.multiply(form);
            case "mad24", "madc" -> integers.multiplyAdd(form);
            case "addc", "subc" -> integers.extended(form);
            case "sad" -> integers.sumOfDifference(form);
            case "div" -> {
                if (FloatLowering.isFloat(form.type())) {
                    floats.divide(form);
                } else {
                    integers.signedBinary(form, "divide");
                }
            }
            case "rem" -> integers.signedBinary(form, "remainder");
            case "abs" -> {
                if (FloatLowering.isFloat(form.type())) {
                    floats.absolute(form);
                } else {
                    integers.unary(form, "absolute");
                }
            }
            case "neg" -> {
                if (FloatLowering.isFloat(form.type())) {
                    floats.negate(form);
                } else {
                    integers.unary(form, "negate");
                }
            }
            case "min", "max" -> {
                if (FloatLowering.isFloat(form.type())) {
                    floats.extremum(form);
                } else {
                    integers.signedBinary(
                            form, form.opcode().equals("min") ? "minimum" : "maximum");
                }
            }
            case "popc" -> integers.count(form, "populationCount");
            case "clz" -> integers.count(form, "leadingZeros");
            case "bfind" -> integers.find(form);
            case "fns" -> integers.ternary(form, "findNthSet", ScalarType.B32);
            case "brev" -> integers.unary(form, "reverse");
            case "bfe" -> integers.extract(form);
            case "bfi" -> integers.insert(form);
            case "szext" -> integers.extend(form);
            case "bmsk" -> integers.mask(form);
            case "dp4a", "dp2a" -> integers.dotProduct(form);
            case "and", "or", "xor" -> integers.logic(form);
            case "not" -> integers.unary(form, "not");
            case "cnot" -> integers.unary(form, "isZero");
            case "lop3" -> integers.lookup(form);
            case "shf" -> integers.funnelShift(form);
            case "shl", "shr" -> integers.shift(form);
            case "mov" -> moves.move(form);
            case "prmt" -> integers.permute(form);
            case "rcp" -> floats.reciprocal(form);
            case "sqrt" -> floats.squareRoot(form);
            case "rsqrt", "ex2", "lg2", "sin", "cos", "tanh" -> floats.approximation(form);
            case "testp" -> floats.testProperty(form);
            case "copysign" -> floats.copySign(form);
            case "set" -> comparisons.set(form);
            case "setp" -> comparisons.setPredicate(form);
            case "selp" -> comparisons.select(form);
            case "slct" -> comparisons.selectBySign(form);
            case "cvt" -> conversions.convert(form);
            default -> dispatchMemory(form);
        }
    }

    private void dispatchMemory(Form form) {
        switch (form.opcode()) {
            case "ld", "ldu" -> memory.load(form);
            case "st" -> {
                if (form.has("async") || form.has("bulk")) {
                    throw form.unsupported();
                }
                memory.store(form);
            }
            case "atom", "red" -> memory.atomic(form);
            case "cvta" -> memory.convertAddress(form);
            case "isspacep" -> memory.isInSpace(form);
            case "cp" -> memory.asyncCopy(form);
            case "stacksave", "stackrestore", "alloca" -> memory.stack(form);
            case "mbarrier" -> memory.memoryBarrierObject(form);
            case "membar",
                    "fence",
                    "prefetch",
                    "prefetchu",
                    "discard",
                    "applypriority",
                    "nanosleep",
                    "pmevent",
                    "griddepcontrol",
                    "setmaxnreg" ->
                    builder.add(new Step.Hint(builder.site(), builder.guard()));
            case "createpolicy" ->
                    builder.write(
                            form.operand(0), dev.heddle.vm.ir.Source.longword(0), ScalarType.B64);
            default -> dispatchWarp(form);
        }
    }

    private void dispatchWarp(Form form) {
        switch (form.opcode()) {
            case "bar", "barrier" -> warp.barrier(form);
            case "shfl" -> warp.shuffle(form);
            case "vote" -> warp.vote(form);
            case "match" -> warp.match(form);
            case "redux" -> warp.reduceAcrossLanes(form);
            case "elect" -> warp.elect(form);
            case "activemask" -> warp.activeMask(form);
            case "mma" -> products.multiply(form);
            case "wmma" -> wmma.lower(form);
            case "wgmma" -> wgmma.lower(form);
            case "ldmatrix" -> warp.loadMatrix(form);
            case "stmatrix" -> warp.storeMatrix(form);
            case "movmatrix" -> warp.transposeMatrix(form);
            case "bra" -> control.branch(form);
            case "brx" -> control.indexedBranch(form);
            case "call" -> control.call(form);
            case "ret", "exit", "trap", "brkpt" -> control.finish(form);
            default -> throw form.unsupported();
        }
    }
}
