package dev.heddle.vm.lowering;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.LoadLimit;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.SourceLines;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Collective.Warpgroup.Action;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/// Lowers one function: walks its statements and hands each instruction to the class that knows its
/// chapter.
final class FunctionLowering {
    private final ModuleLayout layout;
    private final SourceLines lines;
    private final List<Site> sites;
    private final CodeBuilder builder;
    private final IntegerLowering integers;
    private final MoveLowering moves;
    private final FloatLowering floats;
    private final ComparisonLowering comparisons;
    private final ConversionLowering conversions;
    private final VideoLowering video;
    private final MemoryLowering memory;
    private final BarrierObjectLowering barriers;
    private final WarpLowering warp;
    private final MultiplyLowering products;
    private final WmmaLowering wmma;
    private final TileLowering tiles;
    private final WgmmaLowering wgmma;
    private final ClusterLowering clusters;
    private final BulkCopyLowering bulk;
    private final TextureLowering textures;
    private final ControlLowering control;
    private @Nullable String sourceLine;

    FunctionLowering(ModuleLayout layout, SourceLines lines, List<Site> sites) {
        this.layout = layout;
        this.lines = lines;
        this.sites = sites;
        builder = new CodeBuilder(layout);
        integers = new IntegerLowering(builder);
        moves = new MoveLowering(builder);
        floats = new FloatLowering(builder);
        comparisons = new ComparisonLowering(builder);
        conversions = new ConversionLowering(builder);
        video = new VideoLowering(builder);
        MemoryOperands operands = new MemoryOperands(builder);
        memory = new MemoryLowering(builder, operands, layout);
        barriers = new BarrierObjectLowering(builder, operands);
        warp = new WarpLowering(builder, operands);
        products = new MultiplyLowering(builder, warp);
        wmma = new WmmaLowering(builder, warp);
        tiles = new TileLowering(builder, warp);
        wgmma = new WgmmaLowering(builder, warp, products);
        clusters = new ClusterLowering(builder, warp, memory, operands);
        bulk = new BulkCopyLowering(builder, operands);
        textures = new TextureLowering(builder, operands);
        control = new ControlLowering(builder, layout);
    }

    /// @param instructions of the function, in order
    Code lower(int index, Function function, List<BoundInstruction> instructions) {
        List<Code.Parameter> parameters =
                function.isEntry() ? kernelParameters(function) : place(function.parameters());
        List<Code.Parameter> results = place(function.results());
        Statement.Block body = function.body();
        if (body == null) {
            throw new IllegalArgumentException(function.name() + " has no body");
        }
        walk(body, instructions.iterator());
        builder.finish(new Exit.Return(null, null, -1));
        return new Code(
                index,
                function.name(),
                LaunchBoundsReader.of(function),
                parameters,
                results,
                new BlockOrder(builder.blocks()).blocks(),
                builder.registers().count(Width.PREDICATE),
                builder.registers().count(Width.WORD),
                builder.registers().count(Width.LONG),
                (int) ModuleLayout.align(builder.frame().bytes(), 16),
                layout.shared().bytes(),
                layout.shared().dynamicOffset(),
                layout.shared().bytesOf(function),
                builder.frame().placed(),
                layout.shared().gapsOf(function),
                0);
    }

    private List<Code.Parameter> kernelParameters(Function function) {
        List<Code.Parameter> parameters = new ArrayList<>();
        long end = 0;
        for (Variable variable : function.parameters()) {
            end = ModuleLayout.align(end, variable.effectiveAlignment());
            int offset = ModuleLayout.size("parameters", end);
            builder.frame().placeKernelParameter(variable, offset);
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
                int offset = builder.frame().place(variable);
                parameters.add(new Code.Parameter(name, offset, bytes, null, null));
            } else if (RegisterNames.isWide(variable)) {
                parameters.add(
                        new Code.Parameter(
                                name,
                                0,
                                bytes,
                                builder.registers().half(name, variable, false),
                                builder.registers().half(name, variable, true)));
            } else {
                Operand.Register whole =
                        new Operand.Register(name, null, variable, variable.position());
                List<Operand> parts = whole.isWhole() ? whole.components() : List.of(whole);
                for (Operand part : parts) {
                    Register register = builder.registers().of((Operand.Register) part);
                    parameters.add(
                            new Code.Parameter(
                                    part.toString(), 0, bytes / parts.size(), register, null));
                }
            }
        }
        return parameters;
    }

    private void walk(Statement.Block block, Iterator<BoundInstruction> bound) {
        control.openScope(block);
        for (Statement statement : block.statements()) {
            LoadLimit.check();
            switch (statement) {
                case Statement.Label(String name, _) -> builder.enter(control.label(name));
                case Statement.Block inner -> walk(inner, bound);
                case Instruction _ -> instruction(bound.next());
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
        if (location.line() != 0) {
            sourceLine = lines.at(location.position().line());
        }
    }

    private void instruction(BoundInstruction bound) {
        Site site =
                new Site(
                        sites.size(),
                        bound.kind(),
                        bound.mnemonic(),
                        bound.position(),
                        bound.section(),
                        marks(bound),
                        sourceLine);
        sites.add(site);
        try {
            builder.begin(site, bound.instruction());
            dispatch(bound);
        } catch (UnsupportedInstruction e) {
            String reason = e.getMessage() == null ? bound.mnemonic() : e.getMessage();
            builder.add(new Step.Unsupported(site, builder.guard(), reason));
        }
    }

    private static Set<Site.Mark> marks(BoundInstruction bound) {
        Instruction instruction = bound.instruction();
        Set<Site.Mark> marks = new HashSet<>(Site.Mark.of(instruction.qualifiers()));
        if (instruction.operands().stream().anyMatch(FunctionLowering::isStructure)) {
            marks.add(Site.Mark.STRUCTURE);
        }
        if (bound.types().contains(ScalarType.B128)) {
            marks.add(Site.Mark.WHOLE);
        }
        return marks;
    }

    private static boolean isStructure(Operand operand) {
        return operand instanceof Operand.Address(Operand.Symbol base, _, _, _, _)
                && base.variable() != null
                && base.variable().space() == StateSpace.PARAM
                && base.variable().isArray();
    }

    private void dispatch(BoundInstruction form) {
        switch (form.kind()) {
            case COMPUTE -> integers.compute(form);
            case INTEGER_ADD, INTEGER_SUBTRACT -> integers.addOrSubtract(form);
            case EXTENDED_ADD, ADD_WITH_CARRY, EXTENDED_SUBTRACT, SUBTRACT_WITH_BORROW ->
                    integers.extended(form);
            case INTEGER_MULTIPLY, MULTIPLY_24 -> integers.multiply(form);
            case INTEGER_MULTIPLY_ADD,
                    MULTIPLY_ADD_24,
                    EXTENDED_MULTIPLY_ADD,
                    MULTIPLY_ADD_WITH_CARRY ->
                    integers.multiplyAdd(form);
            case INTEGER_DIVIDE -> integers.signedBinary(form, OperationKind.DIV);
            case INTEGER_REMAINDER -> integers.signedBinary(form, OperationKind.REM);
            case INTEGER_MINIMUM -> integers.signedBinary(form, OperationKind.MIN);
            case INTEGER_MAXIMUM -> integers.signedBinary(form, OperationKind.MAX);
            case INTEGER_ABSOLUTE -> integers.unary(form, OperationKind.ABS);
            case INTEGER_NEGATE -> integers.unary(form, OperationKind.NEG);
            case POPULATION_COUNT -> integers.count(form, OperationKind.POPC);
            case LEADING_ZEROS -> integers.count(form, OperationKind.CLZ);
            case REVERSE_BITS -> integers.unary(form, OperationKind.BREV);
            case EXTRACT_BITS -> integers.extract(form);
            case INSERT_BITS -> integers.insert(form);
            case AND -> integers.logic(form, OperationKind.AND);
            case OR -> integers.logic(form, OperationKind.OR);
            case XOR -> integers.logic(form, OperationKind.XOR);
            case NOT -> integers.unary(form, OperationKind.NOT);
            case LOOKUP -> integers.lookup(form);
            case FUNNEL_SHIFT -> integers.funnelShift(form);
            case SHIFT_LEFT, SHIFT_RIGHT -> integers.shift(form);
            case PERMUTE -> integers.permute(form);
            case MOVE -> moves.move(form);
            case FLOAT_ADD, FLOAT_SUBTRACT, FLOAT_MULTIPLY, FUSED_MULTIPLY_ADD ->
                    floats.arithmetic(form);
            case MIXED_ADD, MIXED_SUBTRACT, MIXED_MULTIPLY_ADD -> floats.mixed(form);
            case FLOAT_DIVIDE -> floats.divide(form);
            case FLOAT_ABSOLUTE -> floats.absolute(form);
            case FLOAT_NEGATE -> floats.negate(form);
            case FLOAT_MINIMUM, FLOAT_MAXIMUM -> floats.extremum(form);
            case RECIPROCAL -> floats.reciprocal(form);
            case SQUARE_ROOT -> floats.squareRoot(form);
            case RECIPROCAL_SQUARE_ROOT, SINE, COSINE, LOGARITHM, EXPONENTIAL, HYPERBOLIC_TANGENT ->
                    floats.approximation(form);
            case SET -> comparisons.set(form);
            case SET_PREDICATE -> comparisons.setPredicate(form);
            case SELECT -> comparisons.select(form);
            case SELECT_BY_SIGN -> comparisons.selectBySign(form);
            case CONVERT -> conversions.convert(form);
            case CONVERT_PACK -> conversions.pack(form);
            case VIDEO, VIDEO_SHIFT -> video.scalar(form);
            case VIDEO_MULTIPLY_ADD -> video.multiplyAdd(form);
            case VIDEO_SIMD -> video.simd(form);
            case LOAD -> memory.load(form);
            case STORE -> memory.store(form);
            case ATOMIC, REDUCE -> memory.atomic(form);
            case CONVERT_ADDRESS -> memory.convertAddress(form);
            case IS_IN_SPACE -> memory.isInSpace(form);
            case ASYNC_COPY -> memory.copy(form);
            case ASYNC_COMMIT -> memory.commitCopies();
            case ASYNC_WAIT -> memory.awaitCopies(form);
            case ASYNC_ARRIVE -> barriers.arriveAfterCopies(form);
            case STACK_SAVE, STACK_RESTORE, STACK_ALLOCATE -> memory.stack(form);
            case MEMORY_BARRIER -> barriers.operation(form);
            case CREATE_POLICY ->
                    builder.write(form.operand(0), Source.longword(0), ScalarType.B64);
            case FENCE -> memory.fence(form);
            case ASYNC_PROXY_FENCE -> memory.proxyFence(form);
            case SET_REGISTERS -> warp.setRegisters(form);
            case TENSOR_MAP_PROXY_FENCE -> bulk.fenceMap(form);
            case PREFETCH, BULK_PREFETCH, PROXY_FENCE, SLEEP, PERFORMANCE_EVENT, GRID_DEPENDENCY ->
                    builder.add(new Step.Hint(builder.site(), builder.guard()));
            case BARRIER -> warp.barrier(form);
            case WARP_BARRIER -> warp.warpBarrier(form);
            case EXCHANGE, EXCHANGE_WITHOUT_SYNC, ELECT -> warp.exchange(form);
            case MATRIX_MULTIPLY -> products.multiply(form);
            case WMMA_LOAD, WMMA_STORE -> tiles.access(form);
            case WMMA_MULTIPLY -> wmma.multiply(form);
            case LOAD_MATRIX, STORE_MATRIX -> warp.accessMatrix(form);
            case WARPGROUP_MULTIPLY -> wgmma.multiply(form);
            case WARPGROUP_FENCE -> wgmma.join(Action.FENCE, 0);
            case WARPGROUP_COMMIT -> wgmma.join(Action.COMMIT, 0);
            case WARPGROUP_WAIT -> wgmma.await(form);
            case CLUSTER_BARRIER -> clusters.barrier(form);
            case MAP_ADDRESS -> clusters.map(form);
            case CTA_RANK -> clusters.rank(form);
            case ASYNC_STORE -> clusters.store(form);
            case ASYNC_REDUCE -> clusters.reduce(form);
            case BULK_COPY, BULK_REDUCE -> bulk.copy(form);
            case TENSOR_COPY -> bulk.tensor(form);
            case BULK_COMMIT -> bulk.commit();
            case BULK_WAIT -> bulk.await(form);
            case BRANCH -> control.branch(form);
            case INDEXED_BRANCH -> control.indexedBranch(form);
            case CALL -> control.call(form);
            case RETURN, EXIT, TRAP, BREAKPOINT -> control.finish(form);
            case WRITE_MEMORY, UPDATE_MEMORY, TENSOR_MAP_FENCE, CLUSTER_LAUNCH_CANCEL ->
                    memory.access(form);
            case CLUSTER_LAUNCH_QUERY -> clusters.query(form);
            case TEXTURE, TEXTURE_GATHER -> textures.sample(form);
            case SURFACE_LOAD, SURFACE_STORE, SURFACE_REDUCE -> textures.surface(form);
            case TEXTURE_QUERY, SURFACE_QUERY, IS_OPAQUE -> textures.query(form);
            case MULTIMEM, TENSOR_MEMORY -> throw new UnsupportedInstruction(form);
        }
    }
}
